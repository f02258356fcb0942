import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { decide, type OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import { type KnownOrder, type Order, orderFold } from '#domain/order-state';
import { fold } from '#event-store/stream-definition';
import { orderAppend, recorded } from '../../../test/support/orders/order-append.js';
import { randomCommand, randomPurchase } from '../../../test/support/orders/random-orders.js';
import { ledgerEntriesProjection, type LedgerRow, ledgerRows } from './ledger-entries.projection.js';
import { loadStatusCatalogue } from './status-catalogue-file.js';

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
function life(seed: number): OrderEvent[] {
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

const values = (text: string) => text.slice(1, -1).split(',');
const sumOf = ({ amounts }: LedgerRow) => values(amounts).reduce((sum, cents) => sum + Number(cents), 0);

it('the entries of each event add up to 0, and so do all balances at every instant', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const events = recorded(...life(seed));
      const balances = new Map<string, number>();
      if (events.length === 0) return;
      for (const row of ledgerRows(events as [(typeof events)[number], ...typeof events])) {
        expect(sumOf(row)).toBe(0);
        const cents = values(row.amounts).map(Number);
        values(row.accounts).forEach((account, index) => {
          seen.add(account);
          balances.set(account, (balances.get(account) ?? 0) + (cents[index] ?? Number.NaN));
        });
        expect([...balances.values()].reduce((sum, balance) => sum + balance, 0)).toBe(0);
      }
      const order = fold(orderFold, events) as KnownOrder;
      expect(Object.fromEntries(balances)).toEqual(order.books.balances);
    }),
    { numRuns: 200 },
  );
  // Otherwise the lives would be too dull to prove anything.
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      'buyer',
      'disputes',
      'fees',
      'losses',
      'provider:sandbox',
      'provider_fees',
      'seller:a',
      'seller:b',
    ]),
  );
});

it('the rows are the same, however the events were appended', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat(30), { maxLength: 5 }), (seed, cuts) => {
      const events = recorded(...life(seed));
      const ends = [...new Set([...cuts.filter((cut) => cut > 0 && cut < events.length), events.length])].sort(
        (a, b) => a - b,
      );
      const rows = ends.flatMap((end, index) => {
        return ledgerEntriesProjection.rows(orderAppend(events.slice(0, end), ends[index - 1] ?? 0));
      });
      expect(rows).toEqual(ledgerEntriesProjection.rows(orderAppend(events)));
    }),
    { numRuns: 100 },
  );
});

it('the buyer of a rejected order is owed nothing once all of the money went back', () => {
  let settled = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const order = fold(orderFold, recorded(...life(seed)));
      if (!order.known || order.status?.status !== 'rejected' || order.purchase.payment === null) return;
      const { payment, refunds, disputes, books } = order;
      const given = refunds
        .filter(({ state }) => state === 'succeeded')
        .reduce((sum, one) => sum + one.amount_cents, 0);
      const lost = disputes.filter(({ state, inquiry }) => state === 'lost' && !inquiry);
      const lostCents = lost.reduce((sum, one) => sum + one.amount_cents, 0);
      const taken = 'captured_cents' in payment ? payment.captured_cents : 0;
      if (payment.is !== 'captured' || given + lostCents !== taken) return;
      settled += 1;
      expect(books.balances['buyer'] ?? 0).toBe(0);
    }),
    { numRuns: 300 },
  );
  expect(settled).toBeGreaterThan(3);
});
