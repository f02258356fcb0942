import { SeededRandomness } from '#base/seeded-randomness';
import { decide, type OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import { type KnownOrder, type Order, orderFold } from '#domain/order-state';
import { fold } from '#event-store/stream-definition';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { recorded } from './order-append.js';
import { randomCommand, randomPurchase } from './random-orders.js';

const catalogue = loadStatusCatalogue();
const OFFER = { listingId: 'L1', eventId: '1', version: 1 };
const PARTS = { price_cents: 7_000, fees_cents: 800, delivery_cents: 100, tax_cents: 0 };
const IN_TIME = '2026-03-01T00:00:00.000Z';

/** What staff and the provider may do about the money of an order at any time. Much of it is refused. */
function moneyCommand(random: SeededRandomness, order: KnownOrder): OrderCommand {
  const amountCents = 1 + random.integer(3_000);
  const refundId = `rf_${random.integer(1e9)}`;
  const reference = `x_${random.integer(3)}`;
  const [known] = order.refunds;
  const dispute = {
    reference,
    inquiry: random.fraction() < 0.3,
    reason: 'fraudulent',
    amount_cents: order.purchase.total_cents,
    currency: 'USD',
    due_at: null,
    state: random.pick(['open', 'sent', 'won', 'lost', 'withdrawn'] as const),
    fees:
      random.fraction() < 0.5 ? [{ reference: `fee_${reference}`, amount_cents: 1_500, for: 'dispute' as const }] : [],
  };
  const tickets = { event_id: '1', listing_id: 'L2', listing_version: 1, quantity: 2, terms: null, expires_at: '2099' };
  const parts = { ...PARTS, price_cents: 3_000 + random.integer(90_000) };
  const asked = { reason: random.pick(['other', 'goodwill'] as const), ...pickAsked(random, amountCents) };
  return random.pick<OrderCommand>([
    { type: 'RequestRefund', refundId, asked, requestedBy: 'operator:opr_1', approvalFromCents: 2_000 },
    { type: 'ApproveRefund', refundId: known?.id ?? '', by: 'operator:opr_2' },
    { type: 'RecordProviderRefund', refundId, amountCents, result: { is: 'succeeded', reference: `re_${refundId}` } },
    {
      type: 'RecordRefund',
      refundId: known?.id ?? '',
      result: { is: 'failed', reference: known?.reference ?? null, reason: 'closed account' },
    },
    { type: 'RecordDispute', disputeId: `dp_${reference}`, dispute },
    { type: 'RecordFee', fee: { reference: `fee_${amountCents}`, amount_cents: amountCents - 1_500, for: 'charge' } },
    { type: 'ProposeReplacement', tickets: { ...tickets, seller: random.pick(['b', 'c']) }, parts },
    { type: 'AcceptReplacement', at: IN_TIME },
  ]);
}

function pickAsked(random: SeededRandomness, amountCents: number) {
  return random.fraction() < 0.5 ? { amountCents } : { quantity: 1, keepFees: random.fraction() < 0.5 };
}

/** The events of an order that lives as the seed says. With `parts` of the purchase, or as versions before captures recorded it. */
export function moneyLife(seed: number): OrderEvent[] {
  const random = new SeededRandomness(seed);
  const purchase = randomPurchase(random, OFFER, seed);
  const { price_cents: _, ...rest } = PARTS;
  const parts = { ...rest, price_cents: purchase.total_cents - 900 };
  const isPriced = purchase.variant === 'payment' && purchase.total_cents > 900 && random.fraction() < 0.7;
  const received = { ...purchase, hold_for_review: false, seller: 'a', ...(isPriced && { parts, currency: 'USD' }) };
  const events: OrderEvent[] = [];
  let command: OrderCommand | undefined = { type: 'ReceivePurchase', purchase: received };
  let order: Order = orderFold.initial;
  for (let step = 0; step < 40; step += 1) {
    if (order.known) command = nextCommand(random, order);
    const decided = command ? decide(command, order, catalogue) : [];
    if (decided instanceof Error) continue;
    events.push(...decided);
    order = fold(orderFold, recorded(...decided), order);
  }
  return isPriced ? events : events.map(asEarlierVersions);
}

function nextCommand(random: SeededRandomness, order: KnownOrder): OrderCommand | undefined {
  return random.fraction() < 0.5 ? moneyCommand(random, order) : randomCommand(random, order);
}

function asEarlierVersions(event: OrderEvent): OrderEvent {
  if (event.type !== 'PaymentAuthorised') return event;
  const { currency: _, capture_before: __, ...data } = event.data;
  return { ...event, data };
}
