import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from './domain-error.js';
import { decide, type OrderCommand } from './order.js';
import { isStatusEvent, type OrderEvent, type ReceivedPurchase, type StatusEvent } from './order-events.js';
import { evolve, evolveAll, type KnownOrder, type Order } from './order-state.js';
import { statusCatalogue, type StatusCatalogueFile } from './status-catalogue.js';

const builtIn = new URL('./status-catalogue.json', import.meta.url);
const file = JSON.parse(readFileSync(builtIn, 'utf8')) as StatusCatalogueFile;
const catalogue = statusCatalogue(file);
const codes = file.statuses.map(({ status_code: code }) => code);

const purchase: fc.Arbitrary<ReceivedPurchase> = fc.record({
  client_id: fc.constant('acme'),
  variant: fc.constantFrom('payment', 'wholesale'),
  product: fc.record({
    event_id: fc.constant('1'),
    listing_id: fc.constant('L'),
    quantity: fc.integer({ min: 1, max: 9 }),
  }),
  listing_version: fc.constant(1),
  total_cents: fc.nat(),
  delivery_method: fc.constant('download'),
  ref_id: fc.constant(null),
  duplicate_key: fc.constant(null),
  trusted: fc.boolean(),
  hold_for_review: fc.boolean(),
  confirmation: fc.constantFrom('automatic', 'manual'),
  confirm_within_minutes: fc.constant(null),
  payment: fc.option(
    fc.constant({
      type: 'providera_token',
      brand: null,
      last_four: null,
      expiry_month: null,
      expiry_year: null,
    } as const),
  ),
  market_specific_fields: fc.constant(null),
  personal: fc.option(fc.constant('c2VhbGVk')),
});

const outcome = fc.oneof(
  fc.constant({ is: 'authorised', provider: 'p', reference: 'r', amount_cents: 1, capture_before: null } as const),
  fc.record({
    is: fc.constantFrom('declined', 'absent', 'unreachable'),
    provider: fc.constant('p'),
    reason: fc.constant('r'),
  }),
);

const command: fc.Arbitrary<OrderCommand> = fc.oneof(
  fc.record({ type: fc.constant('RecordPaymentOutcome' as const), outcome, platformWaits: fc.boolean() }),
  fc.record({ type: fc.constant('ChangeStatus' as const), statusCode: fc.constantFrom(...codes, 7) }),
  fc.record({
    type: fc.constant('Fulfil' as const),
    fulfillment: fc.constantFrom(
      { type: 'ship', data: { carrier: 'UPS', tracking_number: '1' } } as const,
      { type: 'download', data: { url: 'https://t.example' } } as const,
    ),
  }),
  fc.record({ type: fc.constant('ExpireConfirmation' as const), expectedVersion: fc.integer({ min: 1, max: 6 }) }),
  fc.constant({ type: 'RecordPaymentRelease' } as const),
  fc.constant({ type: 'ErasePersonalData' } as const),
);

/** A model of the contract: the last status, and the statuses that may follow it. */
const model = { from: (order: Order) => (order as KnownOrder).status?.status };

describe('any sequence of commands', () => {
  it('follows the allowed transitions, and never repeats a status', () => {
    const history = fc.tuple(purchase, fc.array(command, { maxLength: 30 }));
    fc.assert(
      fc.property(history, ([received, commands]) => {
        let order: Order = { known: false };
        let events = 0;
        for (const next of [{ type: 'ReceivePurchase', purchase: received } as const, ...commands]) {
          const decided = decide(next, order, catalogue);
          if (decided instanceof DomainError) continue;
          for (const event of decided as readonly OrderEvent[]) {
            const before = order;
            order = evolve(order, at(event));
            events += 1;
            expect((order as KnownOrder).version).toBe(events);
            if (isStatusEvent(event)) expectAllowed(before, event);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing when it requests the current status', () => {
    fc.assert(
      fc.property(purchase, fc.array(command, { maxLength: 15 }), (received, commands) => {
        let order: Order = { known: false };
        for (const next of [{ type: 'ReceivePurchase', purchase: received } as const, ...commands]) {
          const decided = decide(next, order, catalogue);
          if (!(decided instanceof DomainError)) {
            order = (decided as readonly OrderEvent[]).map(at).reduce<Order>(evolve, order);
          }
        }
        const code = (order as KnownOrder).status?.status_code;
        if (code === undefined) return;
        expect(decide({ type: 'ChangeStatus', statusCode: code }, order, catalogue)).toEqual([]);
      }),
    );
  });
});

it('several events in one go lead to the same order, and change no order before them', () => {
  fc.assert(
    fc.property(purchase, fc.array(command, { maxLength: 30 }), fc.nat(30), (received, commands, split) => {
      const events: Recorded[] = [];
      const orders: Order[] = [{ known: false }];
      for (const next of [{ type: 'ReceivePurchase', purchase: received } as const, ...commands]) {
        const decided = decide(next, orders.at(-1)!, catalogue);
        if (decided instanceof DomainError) continue;
        for (const event of decided as readonly OrderEvent[]) {
          events.push(at(event));
          orders.push(deepFrozen(evolve(orders.at(-1)!, at(event))));
        }
      }
      const from = Math.min(split, events.length);
      expect(evolveAll(orders[from]!, events.slice(from))).toEqual(orders.at(-1));
    }),
  );
});

type Recorded = OrderEvent & Readonly<{ recorded_at: string }>;

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}

function at<E extends OrderEvent>(event: E): E & { recorded_at: string } {
  return { ...event, recorded_at: '2026-11-21T12:00:00.000Z' };
}

function expectAllowed(before: Order, event: StatusEvent): void {
  const from = model.from(before);
  if (from === undefined) return;
  expect(file.transitions[from]).toContain(event.data.status.status);
  expect((before as KnownOrder).status?.status_code).not.toBe(event.data.status.status_code);
}
