import { describe, expect, it } from 'vitest';
import {
  approve,
  ask,
  CAPTURED,
  decline,
  dispute,
  HELD,
  life,
  refunded,
  refundFailed,
  reject,
  release,
  replace,
  returnPayment,
  sent,
} from '../../../test/support/orders/paid-order.js';
import type { OrderCommand } from './order.js';

const all = { amountCents: 11_500 };
const some = { amountCents: 1_000 };
const waiting = [...CAPTURED, ask('a', some, { from: 0 })];
const atProvider = (reference: string, amountCents: number, is: 'pending' | 'succeeded' | 'failed' = 'succeeded') => {
  const result = is === 'failed' ? { is, reference, reason: 'closed' } : { is, reference };
  return { type: 'RecordProviderRefund', refundId: `rf_${reference}`, amountCents, result } as OrderCommand;
};

type Row = readonly [string, readonly OrderCommand[], string | readonly string[]];

describe('a refund by staff', () => {
  it.each<Row>([
    ['of all that was captured', [...CAPTURED, ask('a', all)], ['RefundRequested']],
    ['of a cent more', [...CAPTURED, ask('a', { amountCents: 11_501 })], 'NOT_REFUNDABLE'],
    ['of nothing', [...CAPTURED, ask('a', { amountCents: 0 })], 'NOT_REFUNDABLE'],
    ['of more than a pending one has left', [...CAPTURED, ask('a', some), ask('b', all)], 'NOT_REFUNDABLE'],
    ['of more than one has left that waits', [...waiting, ask('b', all)], 'NOT_REFUNDABLE'],
    [
      'of more than one has left that was made',
      [...CAPTURED, ask('a', all), refunded('a'), ask('b', some)],
      'NOT_REFUNDABLE',
    ],
    ['of what a declined one had asked for', [...waiting, decline('a'), ask('b', all)], ['RefundRequested']],
    ['of what failed at once', [...CAPTURED, ask('a', all), refundFailed('a'), ask('b', all)], ['RefundRequested']],
    [
      'of what failed days later',
      [...CAPTURED, ask('a', all), refunded('a'), refundFailed('a'), ask('b', all)],
      ['RefundRequested'],
    ],
    ['before the capture', [...HELD, ask('a', some)], 'NOTHING_CAPTURED'],
    ['after a release', [...HELD, reject, release, ask('a', some)], 'NOTHING_CAPTURED'],
    ['while the payment is disputed', [...CAPTURED, dispute(), ask('a', some)], 'DISPUTE_OPEN'],
    ['while evidence was sent', [...CAPTURED, dispute({ state: 'sent' }), ask('a', some)], 'DISPUTE_OPEN'],
    ['while the bank only asks', [...CAPTURED, dispute({ inquiry: true }), ask('a', some)], ['RefundRequested']],
    ['after a dispute that was won', [...CAPTURED, dispute({ state: 'won' }), ask('a', all)], ['RefundRequested']],
    ['after a dispute that was lost', [...CAPTURED, dispute({ state: 'lost' }), ask('a', some)], 'NOT_REFUNDABLE'],
    [
      'after an inquiry that was lost',
      [...CAPTURED, dispute({ inquiry: true, state: 'lost' }), ask('a', all)],
      ['RefundRequested'],
    ],
    ['of a rejected order', [...CAPTURED, reject, ask('a', all)], ['RefundRequested']],
    ['that is asked for twice under its id', [...CAPTURED, ask('a', some), ask('a', some)], []],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands).gave).toEqual(expected);
  });

  it.each([
    ['below the limit', [ask('a', { amountCents: 4_999 }, { from: 5_000 })], 'pending'],
    ['from the limit on', [ask('a', { amountCents: 5_000 }, { from: 5_000 })], 'waiting_for_approval'],
    ['always', [ask('a', { amountCents: 1 }, { from: 0 })], 'waiting_for_approval'],
    [
      'with an earlier one',
      [ask('x', some), refunded('x'), ask('a', { amountCents: 4_000 }, { from: 5_000 })],
      'waiting_for_approval',
    ],
    [
      'with one that waits',
      [ask('x', some, { from: 0 }), ask('a', { amountCents: 4_000 }, { from: 5_000 })],
      'waiting_for_approval',
    ],
    [
      'without a declined one',
      [ask('x', some, { from: 0 }), decline('x'), ask('a', { amountCents: 4_999 }, { from: 5_000 })],
      'pending',
    ],
    [
      'without one that failed',
      [ask('x', some), refundFailed('x'), ask('a', { amountCents: 4_999 }, { from: 5_000 })],
      'pending',
    ],
    [
      'without one of the provider',
      [atProvider('x', 1_000), ask('a', { amountCents: 4_999 }, { from: 5_000 })],
      'pending',
    ],
  ] as const)('needs a second person %s', (_, commands, state) => {
    const { order } = life(...CAPTURED, ...commands);
    expect(order.refunds.find(({ id }) => id === 'a')).toMatchObject({
      state,
      origin: 'desk',
      requested_by: 'operator:ann',
    });
  });
});

describe('the refund of a cancelled event', () => {
  const cancel: OrderCommand = { type: 'CancelEvent', refund: { refundId: 'c', requestedBy: 'operator:ann' } };
  const download: OrderCommand = {
    type: 'Fulfil',
    fulfillment: { type: 'download', data: { url: 'https://tickets.example/1' } },
  };

  it.each<Row>([
    ['is asked for with the rejection', CAPTURED, ['OrderRejected 3007', 'RefundRequested']],
    ['declines what waits', waiting, ['OrderRejected 3007', 'RefundDeclined', 'RefundRequested']],
    ['waits for the end of a dispute', [...CAPTURED, dispute()], ['OrderRejected 3007']],
    ['is none before the capture', HELD, ['OrderRejected 3007']],
    ['is none if all has gone', [...CAPTURED, ask('a', all), refunded('a')], ['OrderRejected 3007']],
    ['is left to staff if the tickets were sent', [...CAPTURED, download], ['OrderExceptionRaised 4007']],
    ['is asked for once', [...CAPTURED, cancel], []],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands, cancel).gave).toEqual(expected);
  });

  it('is of all that is left, by who cancelled the event, and nobody approves it again', () => {
    const { events } = life(...CAPTURED, ask('a', some), refunded('a'), cancel);
    expect(events.at(-1)).toMatchObject({
      data: {
        refund_id: 'c',
        amount_cents: 10_500,
        origin: 'desk',
        reason: 'event_cancelled',
        needs_approval: false,
        requested_by: 'operator:ann',
      },
    });
  });
});

describe('an approval', () => {
  it.each<Row>([
    ['by another person', [...waiting, approve('a')], ['RefundApproved']],
    ['by who asked', [...waiting, approve('a', 'operator:ann')], 'NEEDS_OTHER_PERSON'],
    ['of a refund that nobody knows', [...CAPTURED, approve('a')], 'REFUND_UNKNOWN'],
    ['of a refund that does not wait', [...CAPTURED, ask('a', some), approve('a')], 'CONFLICT'],
    ['given twice', [...waiting, approve('a'), approve('a')], 'CONFLICT'],
    ['after a decline', [...waiting, decline('a'), approve('a')], 'CONFLICT'],
    ['while the payment is disputed', [...waiting, dispute(), approve('a')], 'DISPUTE_OPEN'],
    ['after a dispute that was lost', [...waiting, dispute({ state: 'lost' }), approve('a')], 'NOT_REFUNDABLE'],
    ['after the provider refunded too much', [...waiting, atProvider('x', 10_501), approve('a')], 'NOT_REFUNDABLE'],
    ['of what still fits', [...waiting, atProvider('x', 10_500), approve('a')], ['RefundApproved']],
    ['that is not given', [...waiting, decline('a')], ['RefundDeclined']],
    ['that is not given, while disputed', [...waiting, dispute(), decline('a')], ['RefundDeclined']],
    ['that is not given after it was', [...waiting, approve('a'), decline('a')], 'CONFLICT'],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands).gave).toEqual(expected);
  });

  it('says who gave it', () => {
    const [refund] = life(...waiting, approve('a')).order.refunds;
    expect(refund).toMatchObject({ state: 'pending', requested_by: 'operator:ann', approved_by: 'operator:bob' });
  });
});

describe('the result of a refund', () => {
  const asked = [...CAPTURED, ask('a', some)];

  it.each<Row>([
    ['sent', [...asked, sent('a')], ['RefundSent']],
    ['sent twice', [...asked, sent('a'), sent('a')], []],
    ['made', [...asked, refunded('a')], ['RefundSucceeded']],
    ['made after it was sent', [...asked, sent('a'), refunded('a')], ['RefundSucceeded']],
    ['made twice', [...asked, refunded('a'), refunded('a')], []],
    ['sent after it was made', [...asked, refunded('a'), sent('a')], []],
    ['failed', [...asked, refundFailed('a')], ['RefundFailed']],
    ['failed before it reached the provider', [...asked, refundFailed('a', null)], ['RefundFailed']],
    ['failed days later', [...asked, refunded('a'), refundFailed('a')], ['RefundFailed']],
    ['failed twice', [...asked, refundFailed('a'), refundFailed('a')], []],
    ['made after it failed', [...asked, refundFailed('a'), refunded('a')], []],
    ['made without an approval', [...waiting, refunded('a')], []],
    ['of a refund that nobody knows', [...CAPTURED, refunded('a')], []],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands).gave).toEqual(expected);
  });

  it('keeps when it was made and why it failed later', () => {
    expect(life(...asked, refunded('a'), refundFailed('a')).order.refunds).toMatchObject([
      { state: 'failed', reference: 're_a', failure: 'account closed', succeeded_at: expect.any(String) as string },
    ]);
  });
});

describe('a refund that was made at the provider', () => {
  it.each<Row>([
    ['is news', [...CAPTURED, atProvider('x', 500)], ['RefundRequested', 'RefundSucceeded']],
    ['is news, and pending', [...CAPTURED, atProvider('x', 500, 'pending')], ['RefundRequested']],
    ['is news, and failed', [...CAPTURED, atProvider('x', 500, 'failed')], ['RefundRequested', 'RefundFailed']],
    ['is known', [...CAPTURED, atProvider('x', 500), atProvider('x', 500)], []],
    ['is made now', [...CAPTURED, atProvider('x', 500, 'pending'), atProvider('x', 500)], ['RefundSucceeded']],
    ['fails later', [...CAPTURED, atProvider('x', 500), atProvider('x', 500, 'failed')], ['RefundFailed']],
    ['is ours', [...CAPTURED, ask('a', some), sent('a'), atProvider('re_a', 1_000)], ['RefundSucceeded']],
    [
      'was ours, and our call is answered after it',
      [...CAPTURED, ask('a', all), atProvider('re_a', 11_500), refunded('a')],
      ['RefundFailed'],
    ],
    [
      'is more than was left',
      [...CAPTURED, ask('a', all), atProvider('x', 500)],
      ['RefundRequested', 'RefundSucceeded'],
    ],
    ['is made while disputed', [...CAPTURED, dispute(), atProvider('x', 500)], ['RefundRequested', 'RefundSucceeded']],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands).gave).toEqual(expected);
  });

  it('cancels nothing, and needs nobody', () => {
    const { order } = life(...CAPTURED, atProvider('x', 11_500));
    expect(order.status).toMatchObject({ status: 'confirmed' });
    expect(order.refunds).toMatchObject([
      { origin: 'provider', reason: 'other', requested_by: 'provider:p', reference: 'x', state: 'succeeded' },
    ]);
  });
});

describe('who bears a refund', () => {
  const shares = (commands: readonly OrderCommand[]) => {
    const { order, gave } = life(...CAPTURED, ...commands);
    if (typeof gave === 'string') throw new Error(gave);
    const refund = order.refunds.at(-1);
    const lines = (refund?.lines ?? []).map(({ account, amount_cents: cents }) => `${account} ${cents}`);
    return [refund?.amount_cents, ...lines];
  };
  const [one, two, four] = [{ quantity: 1 }, { quantity: 2 }, { quantity: 4 }];
  const goodwill = { reason: 'goodwill' } as const;

  it.each<readonly [string, readonly OrderCommand[], readonly (string | number)[]]>([
    ['an amount: the seller', [ask('a', some)], [1_000, 'seller:Front Row 1000']],
    [
      'an amount: the seller, then fees, tax, delivery',
      [ask('a', all)],
      [11_500, 'seller:Front Row 10000', 'fees 800', 'tax 400', 'delivery 300'],
    ],
    [
      'what earlier ones left of the seller',
      [ask('x', { amountCents: 9_500 }), ask('a', some)],
      [1_000, 'seller:Front Row 500', 'fees 500'],
    ],
    [
      'what a failed one gave back to the seller',
      [ask('x', all), refundFailed('x'), ask('a', some)],
      [1_000, 'seller:Front Row 1000'],
    ],
    ['a ticket', [ask('a', one)], [2_800, 'seller:Front Row 2500', 'fees 200', 'tax 100']],
    ['a ticket, fees kept', [ask('a', one, { keepFees: true })], [2_600, 'seller:Front Row 2500', 'tax 100']],
    ['all tickets, without delivery', [ask('a', four)], [11_200, 'seller:Front Row 10000', 'fees 800', 'tax 400']],
    [
      'the last tickets',
      [ask('x', one), ask('y', one), ask('a', two)],
      [5_600, 'seller:Front Row 5000', 'fees 400', 'tax 200'],
    ],
    [
      'the last tickets, after an amount',
      [ask('x', { amountCents: 300 }), ask('a', four)],
      [10_900, 'seller:Front Row 9700', 'fees 800', 'tax 400'],
    ],
    ['goodwill', [ask('a', some, goodwill)], [1_000, 'losses 1000']],
    ['a ticket as goodwill', [ask('a', one, goodwill)], [2_800, 'losses 2800']],
    [
      'the last tickets, after goodwill for others',
      [ask('x', two, goodwill), ask('a', two)],
      [5_600, 'seller:Front Row 5000', 'fees 400', 'tax 200'],
    ],
    ['all tickets as goodwill', [ask('x', one), ask('a', { quantity: 3 }, goodwill)], [8_400, 'losses 8400']],
    ['a refund at the provider', [atProvider('x', 10_100)], [10_100, 'seller:Front Row 10000', 'fees 100']],
    [
      'a refund at the provider of more than there is',
      [ask('x', all), refunded('x'), atProvider('y', 100)],
      [100, 'losses 100'],
    ],
    [
      'the new seller, of what is open',
      [ask('a', some, { from: 0 }), ...replace(11_500)],
      [1_000, 'seller:Balcony 1000'],
    ],
    [
      'the earlier seller, of what was made',
      [ask('a', some), refunded('a'), ...replace(11_500)],
      [1_000, 'seller:Front Row 1000'],
    ],
    ['the buyer, of a rejection', [reject, returnPayment('a')], [11_500, 'buyer 11500']],
  ])('%s', (_, commands, expected) => {
    expect(shares(commands)).toEqual(expected);
  });

  it('adds up to the total of all tickets, whatever their prices', () => {
    const parts = { price_cents: 10_001, fees_cents: 803, tax_cents: 402, delivery_cents: 294 };
    const [received, ...later] = CAPTURED;
    const purchase = { ...(received as Extract<OrderCommand, { type: 'ReceivePurchase' }>).purchase, parts };
    const asked = ['a', 'b', 'c', 'd'].map((id) => ask(id, one));
    const { order } = life({ type: 'ReceivePurchase', purchase }, ...later, ...asked);
    expect(order.refunds.map(({ amount_cents: cents }) => cents)).toEqual([2_802, 2_802, 2_802, 2_800]);
    const taken = order.refunds.flatMap(({ lines }) => lines).reduce((sum, line) => sum + line.amount_cents, 0);
    expect(taken).toBe(10_001 + 803 + 402);
  });

  it.each<Row>([
    ['more tickets than there are', [...CAPTURED, ask('a', { quantity: 5 })], 'NOT_REFUNDABLE'],
    ['no ticket', [...CAPTURED, ask('a', { quantity: 0 })], 'NOT_REFUNDABLE'],
    ['tickets that were refunded', [...CAPTURED, ask('x', { quantity: 3 }), ask('a', two)], 'NOT_REFUNDABLE'],
    [
      'tickets whose refund failed',
      [...CAPTURED, ask('x', four), refundFailed('x'), ask('a', four)],
      ['RefundRequested'],
    ],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands).gave).toEqual(expected);
  });
});
