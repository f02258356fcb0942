import { describe, expect, it } from 'vitest';
import { PURCHASE } from '../../../test/support/orders/received-purchase.js';
import { freesPurchaseKey, stockMoves } from './order-effects.js';
import type { OrderEvent } from './order-events.js';
import { evolve, type KnownOrder, type Order, orderFold, statusCount } from './order-state.js';

const statuses = {
  pending: { status: 'pending', status_message: 'Pending confirmation', status_code: 1001 },
  confirmed: { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 },
  rejected: { status: 'rejected', status_message: 'Fraud - system', status_code: 3001 },
} as const;

const received: OrderEvent = { type: 'PurchaseReceived', data: PURCHASE };
const authorised: OrderEvent = {
  type: 'PaymentAuthorised',
  data: { provider: 'p', reference: 'x', amount_cents: 10_000 },
};
const declined: OrderEvent = { type: 'PaymentDeclined', data: { provider: 'p', reason: 'no' } };
const failed: OrderEvent = { type: 'PaymentFailed', data: { provider: 'p', reason: 'absent' } };
const pending: OrderEvent = { type: 'OrderPending', data: { status: statuses.pending } };
const confirmed: OrderEvent = { type: 'OrderConfirmed', data: { status: statuses.confirmed } };
const rejected: OrderEvent = { type: 'OrderRejected', data: { status: statuses.rejected } };
const replacementRejected: OrderEvent = { type: 'ReplacementRejected', data: { status: statuses.rejected } };
const shipped: OrderEvent = { type: 'TicketsShipped', data: { status: statuses.confirmed } };
const delivered: OrderEvent = { type: 'TicketsDelivered', data: { status: statuses.confirmed } };
const erased: OrderEvent = { type: 'PersonalDataErased', data: {} };

/** The order after these events, one minute apart from noon on. */
function after(...events: readonly OrderEvent[]): KnownOrder {
  const order = events.reduce<Order>(
    (before, event, index) => evolve(before, { ...event, recorded_at: `2026-11-21T12:0${index}:00.000Z` }),
    orderFold.initial,
  );
  return order as KnownOrder;
}

it('an order starts with its purchase', () => {
  expect(() => after(confirmed)).toThrow('OrderConfirmed cannot be the first event');
});

describe('the tickets of an order', () => {
  it('are held from the purchase on', () => {
    expect(after(received).tickets).toEqual({ held: 3, sent: false });
    expect(after(received, authorised, confirmed).tickets.held).toBe(3);
  });

  it.each([
    ['a declined payment', declined],
    ['a failed payment', failed],
    ['a rejection', rejected],
    ['a rejected replacement', replacementRejected],
  ])('return to the listing after %s', (_what, last) => {
    expect(after(received, last).tickets).toEqual({ held: 0, sent: false });
  });

  it.each([shipped, delivered])('are not sold again once they went out: $type', (sent) => {
    expect(after(received, authorised, sent, rejected).tickets).toEqual({ held: 3, sent: true });
    expect(after(received, authorised, sent, confirmed, replacementRejected).tickets).toEqual({ held: 3, sent: true });
  });

  it('return once', () => {
    const [none, bought, given] = [orderFold.initial, after(received), after(received, rejected)];
    expect(stockMoves(none, bought)).toEqual([{ listing_id: 'L1', listing_version: 7, taken: 3 }]);
    expect(stockMoves(bought, after(received, confirmed))).toEqual([]);
    expect(stockMoves(bought, given)).toEqual([{ listing_id: 'L1', listing_version: 7, taken: -3 }]);
    expect(stockMoves(given, after(received, rejected, declined))).toEqual([]);
    expect(stockMoves(none, given)).toEqual([]);
  });
});

describe('the stage and the key of a purchase', () => {
  it.each([
    ['awaiting_payment', false, [received]],
    ['declined', true, [received, declined]],
    ['failed', true, [received, failed]],
    ['placed', false, [received, authorised, confirmed]],
    ['placed', false, [received, declined, rejected]],
    ['placed', false, [received, rejected, declined]],
  ] as const)('%s, free: %s', (stage, isFree, events) => {
    const order = after(...events);
    expect(order.stage).toBe(stage);
    expect(freesPurchaseKey(order)).toBe(isFree);
  });
});

describe('the deadline', () => {
  it.each([
    ['the provider', [received], { for: 'payment_outcome', at: '2026-11-21T12:00:00.000Z' }],
    [
      'the provider, after an exception',
      [received, pending],
      { for: 'payment_outcome', at: '2026-11-21T12:00:00.000Z' },
    ],
    ['the broker', [received, authorised, pending], { for: 'confirmation', at: '2026-11-21T12:32:00.000Z' }],
    ['the broker, also after an erasure', [received, authorised, pending, erased], { for: 'confirmation' }],
  ] as const)('waits for %s', (_what, events, deadline) => {
    expect(after(...events).deadline).toMatchObject(deadline);
  });

  it('is null once the order waits for nobody', () => {
    expect(after(received, authorised, pending, confirmed).deadline).toBeNull();
    expect(after(received, declined).deadline).toBeNull();
    expect(after(received, authorised, rejected).deadline).toBeNull();
  });
});

it('counts statuses', () => {
  expect(statusCount(orderFold.initial)).toBe(0);
  expect(statusCount(after(received, authorised))).toBe(0);
  expect(statusCount(after(received, authorised, pending, erased, confirmed))).toBe(2);
});
