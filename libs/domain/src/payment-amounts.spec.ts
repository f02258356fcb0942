import { describe, expect, it } from 'vitest';
import {
  ask,
  capture,
  CAPTURED,
  captureFailed,
  dispute,
  HELD,
  life,
  minute,
  PAID,
  prepare,
  receive,
  refunded,
  refundFailed,
  reject,
  release,
  replace,
  sent,
} from '../../../test/support/orders/paid-order.js';
import type { OrderCommand } from './order.js';
import type { OrderEvent } from './order-events.js';
import { evolve, type KnownOrder, type Order } from './order-state.js';
import { PAYMENT_STATES, paymentAmounts, paymentStateOf } from './payment-amounts.js';

const notTaken = (is: 'declined' | 'absent'): OrderCommand => {
  return { type: 'RecordPaymentOutcome', outcome: { is, provider: 'p', reason: 'no' }, platformWaits: true };
};
const back = (cents: number) => [ask('a', { amountCents: cents }), refunded('a')];
const lost = (amount_cents: number) => [dispute({ amount_cents }), dispute({ amount_cents, state: 'lost' })];
const ownDispute: OrderCommand = { type: 'OpenDispute', disputeId: 'e1', kind: 'denied_entry', dueAt: minute(9) };

type Row = readonly [string, readonly OrderCommand[], (typeof PAYMENT_STATES)[number] | undefined];

describe('the state of a payment', () => {
  it.each<Row>([
    ['there is none', [receive({ variant: 'wholesale', payment: null })], undefined],
    ['it was asked for', [receive()], 'asked'],
    ['it was prepared', [receive(), prepare], 'asked'],
    ['it was declined', [receive(), notTaken('declined')], 'declined'],
    ['it was never taken', [receive(), notTaken('absent')], 'failed'],
    ['it is held', HELD, 'authorised'],
    ['its capture failed, and it is held', [...HELD, captureFailed(false)], 'authorised'],
    ['its hold is gone', [...HELD, captureFailed(true)], 'voided'],
    ['it was released', [...HELD, reject, release], 'voided'],
    ['it was released, and taken all the same', [...HELD, reject, release, capture()], 'captured'],
    ['it was taken', CAPTURED, 'captured'],
    ['its order was rejected', [...CAPTURED, reject], 'captured'],
    ['a refund is on its way', [...CAPTURED, ask('a', { amountCents: 11_500 }), sent('a')], 'captured'],
    ['a part was refunded', [...CAPTURED, ...back(1)], 'part_refunded'],
    ['all was refunded', [...CAPTURED, ...back(11_500)], 'refunded'],
    ['all of less was refunded', [...HELD, ...replace(9_500), capture(9_500), ...back(9_500)], 'refunded'],
    ['a refund failed later', [...CAPTURED, ...back(11_500), refundFailed('a')], 'captured'],
    ['it is disputed', [...CAPTURED, dispute()], 'disputed'],
    ['it is disputed, with evidence', [...CAPTURED, dispute({ state: 'sent' })], 'disputed'],
    ['a part is disputed, a part refunded', [...CAPTURED, ...back(500), dispute({ amount_cents: 100 })], 'disputed'],
    ['the bank only asks', [...CAPTURED, dispute({ inquiry: true })], 'captured'],
    ['the buyer was denied entry', [...CAPTURED, ownDispute], 'captured'],
    ['its dispute was won', [...CAPTURED, dispute(), dispute({ state: 'won' })], 'captured'],
    ['its dispute was withdrawn', [...CAPTURED, dispute(), dispute({ state: 'withdrawn' })], 'captured'],
    ['its dispute was lost', [...CAPTURED, ...lost(11_500)], 'charged_back'],
    ['a dispute of a part was lost', [...CAPTURED, ...lost(5_000)], 'captured'],
    ['a part was lost, a part refunded', [...CAPTURED, ...back(500), ...lost(5_000)], 'part_refunded'],
    ['refunds and losses make up all', [...CAPTURED, ...back(6_500), ...lost(5_000)], 'charged_back'],
    ['an inquiry was lost', [...CAPTURED, dispute({ inquiry: true, state: 'lost' })], 'captured'],
    [
      'it was lost, and is disputed again',
      [...CAPTURED, ...lost(500), dispute({ reference: 'du2' }, 'd2')],
      'disputed',
    ],
  ])('%s', (_, commands, expected) => {
    expect(paymentStateOf(life(...commands).order)).toBe(expected);
  });

  it('is one of the states of the contract, in their order', () => {
    const [money, before] = [PAYMENT_STATES.slice(0, 6), PAYMENT_STATES.slice(6)];
    expect(money).toEqual(['disputed', 'charged_back', 'refunded', 'part_refunded', 'captured', 'voided']);
    expect(before).toEqual(['authorised', 'asked', 'declined', 'failed']);
  });
});

describe('the amounts of a payment', () => {
  const none = { authorised: 0, captured: 0, refunded: 0, pending: 0, waiting: 0, lost: 0, refundable: 0 };
  const taken = { ...none, authorised: 11_500, captured: 11_500, refundable: 11_500 };
  const some = { amountCents: 1_000 };

  it.each<readonly [string, readonly OrderCommand[], typeof none]>([
    ['before it is authorised', [receive()], none],
    ['held', HELD, { ...none, authorised: 11_500 }],
    ['captured', CAPTURED, taken],
    [
      'captured in part',
      [...HELD, ...replace(9_500), capture(9_500)],
      { ...taken, captured: 9_500, refundable: 9_500 },
    ],
    ['with a pending refund', [...CAPTURED, ask('a', some)], { ...taken, pending: 1_000, refundable: 10_500 }],
    [
      'with one that waits for an approval',
      [...CAPTURED, ask('a', some, { from: 0 })],
      { ...taken, pending: 1_000, waiting: 1_000, refundable: 10_500 },
    ],
    ['with one that was made', [...CAPTURED, ...back(1_000)], { ...taken, refunded: 1_000, refundable: 10_500 }],
    ['with one that failed later', [...CAPTURED, ...back(1_000), refundFailed('a')], taken],
    ['while disputed', [...CAPTURED, dispute()], taken],
    ['after a loss', [...CAPTURED, ...lost(5_000)], { ...taken, lost: 5_000, refundable: 6_500 }],
    ['after a loss of more', [...CAPTURED, ...lost(12_000)], { ...taken, lost: 12_000, refundable: 0 }],
  ])('%s', (_, commands, expected) => {
    expect(paymentAmounts(life(...commands).order)).toEqual(expected);
  });
});

describe('a payment of a version before captures', () => {
  const old = { provider: 'p', reference: 'pay' };
  const { parts: _, currency: __, capture: ___, ...purchase } = PAID;
  const status = { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 } as const;
  const taken: readonly OrderEvent[] = [
    { type: 'PurchaseReceived', data: purchase },
    { type: 'PaymentAuthorised', data: { ...old, amount_cents: 11_500 } },
    { type: 'OrderConfirmed', data: { status } },
  ];
  const part = (how: 'voided' | 'refunded'): OrderEvent => {
    return { type: 'PaymentPartlyReleased', data: { ...old, how, amount_cents: 2_000, part_reference: 'part' } };
  };
  const whole = (how: 'voided' | 'refunded'): OrderEvent => ({ type: 'PaymentReleased', data: { ...old, how } });

  it.each([
    ['counts as captured', [], 'captured', { captured: 11_500, refunded: 0, refundable: 11_500 }],
    ['was refunded', [whole('refunded')], 'refunded', { captured: 11_500, refunded: 11_500, refundable: 0 }],
    ['was voided', [whole('voided')], 'voided', { refundable: 0 }],
    [
      'was refunded in part',
      [part('refunded')],
      'part_refunded',
      { captured: 11_500, refunded: 2_000, refundable: 9_500 },
    ],
    ['was voided in part', [part('voided')], 'captured', { captured: 9_500, refunded: 0, refundable: 9_500 }],
    ['was refunded in part, then whole', [part('refunded'), whole('refunded')], 'refunded', { refundable: 0 }],
  ] as const)('%s', (_, events, state, amounts) => {
    const order = [...taken, ...events].reduce<Order>(
      (before, event) => evolve(before, { ...event, recorded_at: minute(1) }),
      { known: false },
    ) as KnownOrder;
    expect(paymentStateOf(order)).toBe(state);
    expect(paymentAmounts(order)).toMatchObject(amounts);
  });
});
