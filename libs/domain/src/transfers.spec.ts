import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/support/cases.js';
import {
  answered,
  bought,
  decided,
  next,
  NOON,
  orderAfter,
  refused,
  sent,
  status,
  given,
} from '../../../test/support/orders/delivered-order.js';
import { DomainError } from './domain-error.js';
import type { OrderCommand } from './order.js';
import type { KnownOrder, Order } from './order-state.js';
import { stockMoves } from './order-effects.js';

const transfer = bought();

/** The types of the events, or the code of the refusal and its message. */
function outcome(command: OrderCommand, ...before: readonly OrderCommand[]): string {
  const result = decided(command, orderAfter(transfer, ...before));
  return result instanceof DomainError ? `${result.code}: ${result.message}` : result.map(({ type }) => type).join(' ');
}

describe('transfers', () => {
  it.each([
    ['of all seats', sent(), [], 'TransferSent TicketsDelivered'],
    ['of a part', sent(['A2']), [], 'TransferSent'],
    ['of the rest', sent(), [sent(['A2'])], 'TransferSent TicketsDelivered'],
    ['again', sent(), [sent()], ''],
    ['again after the buyer accepted', sent(['A1']), [sent(), answered('tra_1', 'accepted')], ''],
    ['with another number', sent(['A1'], 'T2'), [sent()], /^CONFLICT/],
    ['without a number after one with it', sent(['A1'], null), [sent()], /^CONFLICT/],
    ['without a number twice', sent(undefined, null), [sent(undefined, null)], ''],
    [
      'after a decline',
      sent(['A1'], 'T2', 'new'),
      [sent(), answered('tra_1', 'declined')],
      'TransferSent TicketsDelivered',
    ],
    ['of an unknown seat', sent(['A1', 'B9']), [], 'SEAT_UNKNOWN: seats[1] is no seat of the order'],
    ['of a seat twice', sent(['A1', 'A1']), [], 'SEAT_UNKNOWN: seats[1] is there twice'],
    ['of a rejected order', sent(), [status(3004)], /^TRANSITION_NOT_ALLOWED/],
  ])('are sent %s', (_what, command, before, expected) => {
    expect(outcome(command, ...before)).toMatch(
      typeof expected === 'string' ? new RegExp(`^${expected.replaceAll(/[[\]]/g, '\\$&')}$`) : expected,
    );
  });

  it('go to no buyer of a parcel, and to none before the confirmation', () => {
    for (const purchase of [bought({ delivery_method: 'ship' }), bought({ confirmation: 'manual' })]) {
      expect(decided(sent(), orderAfter(purchase))).toMatchObject({ code: 'TRANSITION_NOT_ALLOWED' });
    }
  });

  it.each([
    ['accepted', 'accepted', ''],
    ['declined', 'declined', ''],
    ['accepted', 'declined', /^TRANSITION_NOT_ALLOWED/],
    ['expired', 'accepted', /^TRANSITION_NOT_ALLOWED/],
  ] as const)('that were %s and then %s', (first, second, expected) => {
    expect(outcome(answered('tra_1', second), sent(), answered('tra_1', first))).toMatch(expected || /^$/);
    expect(outcome(answered('tra_9', second), sent())).toMatch(/^TRANSFER_UNKNOWN/);
  });

  it('keep their seats from being sold again, and no others', () => {
    const partly = orderAfter(transfer, sent(['A1']));
    expect(stockMoves(partly, next(partly, status(3004)))).toMatchObject([{ taken: -1 }]);
    const declined = orderAfter(transfer, sent(), answered('tra_1', 'declined'));
    expect(stockMoves(declined, next(declined, status(3004)))).toMatchObject([{ taken: -1 }]);
    const whole = orderAfter(transfer, sent());
    expect(stockMoves(whole, next(whole, status(3004)))).toEqual([]);
  });
});

const transferReport = (report: 'transfer_accepted' | 'transfer_declined', about: object = {}): OrderCommand => {
  return { type: 'ReportDelivery', report, at: NOON, ...about };
};

describe('reports from outside', () => {
  const again = [sent(), answered('tra_1', 'declined'), sent(['A1'], 'T2', 'new')];
  it.each([
    ['about all', transferReport('transfer_accepted'), [sent()], 'TransferAccepted'],
    [
      'about a seat',
      transferReport('transfer_declined', { seat: 'A2' }),
      [sent()],
      'TransferDeclined OrderExceptionRaised',
    ],
    ['twice', transferReport('transfer_accepted'), [sent(), transferReport('transfer_accepted')], ''],
    ['backwards', transferReport('transfer_declined'), [sent(), transferReport('transfer_accepted')], ''],
    ['about another seat', transferReport('transfer_accepted', { seat: 'Z' }), [sent()], ''],
    ['about another number', transferReport('transfer_accepted', { confirmationNumber: 'X' }), [sent()], ''],
    ['about an older number', transferReport('transfer_accepted', { seat: 'A1', confirmationNumber: 'T1' }), again, ''],
    [
      'about the newest number',
      transferReport('transfer_accepted', { confirmationNumber: 'T2' }),
      again,
      'TransferAccepted',
    ],
  ])('%s', (_what, command, before, expected) => {
    expect(outcome(command, ...before)).toBe(expected);
  });

  it('about an earlier barcode change nothing but the timeline, once', () => {
    const order = orderAfter(bought({ delivery_method: 'download' }), given('A1', 'A2'));
    const early = refused('A1', '2026-11-21T11:00:00.000Z');
    expect(decided(early, order)).toMatchObject([{ type: 'BarcodeRefused', data: { earlier: true } }]);
    const noted = next(order, early) as KnownOrder;
    expect(noted).toMatchObject({ status: { status_code: 2004 }, next: { action: 'done' } });
    expect(decided(early, noted)).toEqual([]);
    expect(decided(refused('A1'), noted)).toMatchObject([{ type: 'BarcodeRefused' }, { type: 'OrderExceptionRaised' }]);
    expect(decided(refused('B1'), noted)).toEqual([]);
  });
});

const seats = fc.option(fc.subarray(['A1', 'A2'], { minLength: 1 }), { nil: undefined });
const number = fc.constantFrom(null, 'T1', 'T2');
/** The place of a transfer among those of the order. */
const place = fc.constantFrom('0', '1', '2', '3', '4', '5');
const command: fc.Arbitrary<OrderCommand> = fc.oneof(
  fc.tuple(seats, number, fc.constantFrom('a', 'b', 'c', 'd')).map((args) => sent(...args)),
  fc
    .tuple(place, fc.constantFrom('accepted' as const, 'declined' as const, 'expired' as const))
    .map((args) => answered(...args)),
  fc
    .record(
      { seat: fc.constantFrom('A1', 'A2', 'Z'), confirmationNumber: fc.constantFrom('T1', 'T2') },
      { requiredKeys: [] },
    )
    .chain((about) =>
      fc.constantFrom(transferReport('transfer_accepted', about), transferReport('transfer_declined', about)),
    ),
  fc.constantFrom(status(4006), status(2000), status(3004)),
);

const FINAL = ['accepted', 'declined', 'expired'];

it('whatever comes in whatever order, no seat is sent twice, and no transfer goes backwards', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 25 }), (commands) => {
      let order: Order = orderAfter(transfer);
      let serial = 0;
      for (const one of commands) {
        const before = order as KnownOrder;
        const fresh = withIds(one, before, (serial += 1));
        if (decided(fresh, order) instanceof DomainError) continue;
        order = next(order, fresh);
        const { transfers } = (order as KnownOrder).delivery;
        for (const seat of ['A1', 'A2']) {
          const open = transfers.filter((each) => each.seat === seat && ['sent', 'accepted'].includes(each.state));
          expect(open.length).toBeLessThanOrEqual(1);
        }
        for (const [index, { state }] of before.delivery.transfers.entries()) {
          if (FINAL.includes(state)) expect(transfers[index]?.state).toBe(state);
        }
      }
    }),
    { numRuns: cases(300) },
  );
});

function withIds(one: OrderCommand, { delivery }: KnownOrder, serial: number): OrderCommand {
  if (one.type === 'SendTransfers') return { ...one, ids: one.ids.map((id) => `${id}_${serial}`) };
  if (one.type !== 'AnswerTransfer') return one;
  return { ...one, transferId: delivery.transfers[Number(one.transferId)]?.id ?? '' };
}
