import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  approve,
  ask,
  CAPTURED,
  CATALOGUE,
  decline,
  dispute,
  life,
  refunded,
  refundFailed,
  reject,
  returnPayment,
} from '../../../test/support/orders/paid-order.js';
import { DomainError } from './domain-error.js';
import { decide, type OrderCommand } from './order.js';
import type { OrderEvent } from './order-events.js';
import { evolve, type KnownOrder } from './order-state.js';
import { paymentAmounts } from './payment-amounts.js';
import { refundedTickets } from './refund-amounts.js';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const TOTAL = 11_500;
const TICKETS = 4;

const id = fc.constantFrom(...IDS);
const cents = fc.integer({ min: 1, max: TOTAL });
const atProvider = (refundId: string, amountCents: number): OrderCommand => {
  return { type: 'RecordProviderRefund', refundId, amountCents, result: { is: 'succeeded', reference: refundId } };
};
const cancel = (refundId: string): OrderCommand => {
  return { type: 'CancelEvent', refund: { refundId, requestedBy: 'operator:ann' } };
};

const commands = fc.array(
  fc.oneof(
    fc
      .tuple(id, cents, fc.constantFrom(0, 5_000, 1_000_000))
      .map(([one, amountCents, from]) => ask(one, { amountCents }, { from })),
    fc
      .tuple(id, fc.integer({ min: 1, max: TICKETS }), fc.boolean())
      .map(([one, quantity, keepFees]) => ask(one, { quantity }, { keepFees })),
    id.map((one) => approve(one)),
    id.map(decline),
    id.map((one) => refunded(one)),
    id.map((one) => refundFailed(one)),
    fc.tuple(id, cents).map(([one, amount]) => atProvider(`p${one}`, amount)),
    fc.constantFrom(...(['open', 'won', 'lost'] as const)).map((state) => dispute({ state, amount_cents: 4_000 })),
    fc.constant(reject),
    id.map((one) => returnPayment(`r${one}`)),
    id.map((one) => cancel(`c${one}`)),
  ),
  { minLength: 1, maxLength: 40 },
);

const letsMoneyGo = (event: OrderEvent): boolean =>
  event.type === 'RefundApproved' ||
  (event.type === 'RefundRequested' && event.data.origin !== 'provider' && !event.data.needs_approval);

/** In cents: what went back, what will go back without a further word, and what banks took. */
function gone(order: KnownOrder): number {
  const { refunded: made, pending, waiting, lost } = paymentAmounts(order);
  return made + pending - waiting + lost;
}

it('no order gives more back than was captured, nor more tickets than it has, whatever happens to it', () => {
  fc.assert(
    fc.property(commands, (given) => {
      let { order } = life(...CAPTURED);
      for (const command of given) {
        const decided = decide(command, order, CATALOGUE);
        if (decided instanceof DomainError) continue;
        const recorded_at = '2026-11-27T12:00:00.000Z';
        for (const event of decided) order = evolve(order, { ...event, recorded_at }) as KnownOrder;
        if (decided.some(letsMoneyGo)) expect(gone(order)).toBeLessThanOrEqual(TOTAL);
        expect(refundedTickets(order)).toBeLessThanOrEqual(TICKETS);
        for (const { amount_cents: amount, lines } of order.refunds) {
          expect(lines.reduce((sum, line) => sum + line.amount_cents, 0)).toBe(amount);
        }
      }
    }),
    { numRuns: 500 },
  );
});
