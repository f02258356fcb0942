import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DomainError } from './domain-error.js';
import { decide, type OrderCommand } from './order.js';
import type { OrderEvent, ReceivedPurchase } from './order-events.js';
import { evolve, type KnownOrder, type Order } from './order-state.js';
import { statusCatalogue, type StatusCatalogueFile } from './status-catalogue.js';

const builtIn = new URL('./status-catalogue.json', import.meta.url);
const catalogue = statusCatalogue(JSON.parse(readFileSync(builtIn, 'utf8')) as StatusCatalogueFile);
const NOON = '2026-11-23T12:00:00.000Z';

const wholesale = {
  client_id: 'acme',
  variant: 'wholesale',
  product: { event_id: '1', listing_id: 'L1', quantity: 2 },
  listing_version: 1,
  total_cents: 10_000,
  delivery_method: 'download',
  confirmation: 'automatic',
  payment: null,
  personal: null,
} as unknown as ReceivedPurchase;
const paid = { ...wholesale, variant: 'payment', payment: {} } as ReceivedPurchase;

const receive = (purchase: ReceivedPurchase): OrderCommand => ({ type: 'ReceivePurchase', purchase });
const authorised = { is: 'authorised', provider: 'p', reference: 'x1', amount_cents: 10_000 } as const;
const bought: readonly OrderCommand[] = [
  receive(paid),
  { type: 'RecordPaymentOutcome', outcome: authorised, platformWaits: true },
];
const offer = (totalCents: number, listing_id = 'L2'): OrderCommand => ({
  type: 'ProposeReplacement',
  tickets: {
    event_id: '1',
    listing_id,
    listing_version: 1,
    quantity: 2,
    terms: null,
    expires_at: '2026-11-23T13:00:00.000Z',
  },
  totalCents,
});
const take: OrderCommand = { type: 'AcceptReplacement', at: NOON };
const partReleased = (position: number): OrderCommand => {
  return { type: 'RecordPartRelease', position, how: 'refunded', partReference: 'part' };
};
const ended: OrderCommand = { type: 'ChangeStatus', statusCode: 3004 };
const released: OrderCommand = { type: 'RecordPaymentRelease', how: 'refunded' };

/** The order after these commands, and what the last one gave. */
function life(...commands: readonly OrderCommand[]): { order: KnownOrder; last: string | readonly OrderEvent[] } {
  let order: Order = { known: false };
  let last: string | readonly OrderEvent[] = '';
  for (const command of commands) {
    const decided = decide(command, order, catalogue);
    const events = decided instanceof DomainError ? [] : (decided as readonly OrderEvent[]);
    last = decided instanceof DomainError ? decided.code : events;
    order = events.reduce<Order>((before, event) => evolve(before, { ...event, recorded_at: NOON }), order);
  }
  return { order: order as KnownOrder, last };
}

describe('other tickets', () => {
  it.each([
    ['cheaper', 8_000, { difference: -2_000, total: 8_000, due: { position: 6, cents: 2_000 } }],
    ['equally dear', 10_000, { difference: 0, total: 10_000, due: null }],
    ['dearer', 12_000, { difference: 2_000, total: 10_000, due: null }],
  ])('that are %s never cost the buyer more', (_, totalCents, { difference, total, due }) => {
    const { order } = life(...bought, offer(totalCents), take);
    expect(order).toMatchObject({
      purchase: { total_cents: total },
      replacement: { difference_cents: difference },
      differenceDue: due,
      deadline: due && { for: 'price_difference', at: NOON },
    });
  });

  it('give their difference back once', () => {
    const accepted = [...bought, offer(8_000), take];
    const data = { provider: 'p', reference: 'x1', how: 'refunded', amount_cents: 2_000, part_reference: 'part' };
    expect(life(...accepted, partReleased(6)).last).toEqual([{ type: 'PaymentPartlyReleased', data }]);
    expect(life(...accepted, partReleased(6), partReleased(6)).last).toEqual([]);
    expect(life(...accepted, partReleased(5)).last).toEqual([]);
    expect(life(...bought, offer(12_000), take, partReleased(6)).last).toEqual([]);
  });

  it('wait with a further offer for the money, and then count from the new total', () => {
    const accepted = [...bought, offer(8_000), take];
    expect(life(...accepted, offer(7_500, 'L3')).last).toBe('CONFLICT');
    expect(life(...accepted, partReleased(6), offer(7_500, 'L3'), take).order).toMatchObject({
      purchase: { total_cents: 7_500 },
      differenceDue: { position: 10, cents: 500 },
      payment: { amount_cents: 10_000, returned_cents: 2_000 },
    });
  });

  it('give nothing back apart if the whole payment goes back, unless it has gone', () => {
    const rejected = [...bought, offer(8_000), take, ended];
    expect(life(...rejected).order).toMatchObject({ deadline: { for: 'payment_release' } });
    expect(life(...rejected, released).order).toMatchObject({ deadline: null });
    expect(life(...rejected, released, partReleased(6)).last).toMatchObject([{ type: 'PaymentPartlyReleased' }]);
  });

  it('of a wholesale order leave its total as it is', () => {
    const { order } = life(receive(wholesale), offer(8_000), take);
    expect(order).toMatchObject({ purchase: { total_cents: 10_000 }, differenceDue: null, deadline: null });
    expect(order.replacement).not.toHaveProperty('difference_cents');
  });
});
