import fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#runtime/ids';
import { createPool } from '#database/pool';
import { canBuy, type SplitRule } from '#domain/splits';
import type { OrderEvent } from '#domain/order/order-events';
import { type Order, orderFold } from '#domain/order/order-state';
import { EventStore, type Stream, ProjectionConflict } from '#event-store/event-store';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { listingBody } from '../../../../test/support/listing-body.js';
import { PURCHASE } from '../../../../test/support/orders/received-purchase.js';
import { Listings } from './listings.js';
import { stockProjection } from './stock.projection.js';

const options = { metadata: { transaction_id: 'test', actor: 'system:test' } };

let database: TestDatabase;
let pool: Pool;
let store: EventStore<Order, OrderEvent>;
let listings: Listings;
let orders = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 10, applicationName: 'test', onError: () => undefined });
  store = new EventStore(
    pool,
    { ...orderFold, projections: [stockProjection] },
    new FixedClock(),
    new TimeOrderedIds(),
  );
  listings = new Listings(pool, new FixedClock());
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

type OrderStream = Stream<Order, OrderEvent>;
type Wanted = { id: string; version: number; quantity: number };

/** The order's stream, or undefined if there was not enough stock. */
async function buy({ id, version, quantity }: Wanted): Promise<OrderStream | undefined> {
  const product = { event_id: '1001', listing_id: id, quantity };
  const data = { ...PURCHASE, product, listing_version: version };
  try {
    return await store.append(
      store.fresh(`order-${(orders += 1)}`),
      [{ type: 'PurchaseReceived', data }, happened('OrderConfirmed')],
      options,
    );
  } catch (error) {
    if (error instanceof ProjectionConflict && error.projection === 'stock') return undefined;
    throw error;
  }
}

const STATUS = { OrderRejected: 'rejected', ReplacementRejected: 'rejected' } as Record<string, string>;

function happened(type: OrderEvent['type']): OrderEvent {
  const status = { status: STATUS[type] ?? 'confirmed', status_code: 1, status_message: '' };
  const data = type.startsWith('Payment') ? { provider: 'test', reason: 'test' } : { status };
  return { type, data } as OrderEvent;
}

async function stockOf(id: string): Promise<{ available: number; offered: number }> {
  const listing = await listings.find(id);
  return { available: listing?.available ?? -1, offered: listing?.offered ?? -1 };
}

describe('taking stock', () => {
  const rules: SplitRule[] = ['any', 'pairs', 'no_single_left', 'all_together', [2, 3], [1, 5]];

  it.each(rules.map((rule) => ({ rule })))('agrees with canBuy under $rule', async ({ rule }) => {
    for (let available = 0; available <= 7; available += 1) {
      for (let quantity = 1; quantity <= 8; quantity += 1) {
        // A quantity that the rule never allows does not reach an append.
        if (!canBuy(rule, quantity, quantity)) continue;
        const body = listingBody({
          quantity: available,
          split_rule: rule as ReturnType<typeof listingBody>['split_rule'],
        });
        const { version } = await listings.put('ruled', body);
        const bought = await buy({ id: 'ruled', version, quantity });
        expect({ available, quantity, bought: bought !== undefined }).toEqual({
          available,
          quantity,
          bought: canBuy(rule, available, quantity),
        });
      }
    }
  });

  it('fails for a listing that has changed, was withdrawn, or does not exist', async () => {
    const { version } = await listings.put('changing', listingBody());
    expect(await buy({ id: 'changing', version: version + 1, quantity: 1 })).toBeUndefined();
    await listings.put('changing', listingBody());
    expect(await buy({ id: 'changing', version, quantity: 1 })).toBeUndefined();
    expect(await buy({ id: 'changing', version: version + 1, quantity: 1 })).toBeDefined();
    const withdrawn = await listings.withdraw('changing');
    expect(await buy({ id: 'changing', version: withdrawn!.version, quantity: 1 })).toBeUndefined();
    expect(await buy({ id: 'no such', version: 1, quantity: 1 })).toBeUndefined();
  });

  it('writes no event if there is not enough stock', async () => {
    const { version } = await listings.put('empty', listingBody({ quantity: 0 }));
    expect(await buy({ id: 'empty', version, quantity: 1 })).toBeUndefined();
    expect((await store.read(`order-${orders}`)).events).toEqual([]);
  });

  it('sells ten tickets to fifty concurrent buyers', async () => {
    const { version } = await listings.put('hot', listingBody({ quantity: 10 }));
    const bought = await Promise.all(Array.from({ length: 50 }, () => buy({ id: 'hot', version, quantity: 1 })));
    expect(bought.filter(Boolean)).toHaveLength(10);
    expect(await stockOf('hot')).toEqual({ available: 0, offered: 10 });
  });

  it('loses nothing while the seller keeps replacing the listing', async () => {
    await listings.put('busy', listingBody({ quantity: 5 }));
    let sold = 0;
    const buyers = Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 40; round += 1) {
        const { version = 0 } = (await listings.find('busy')) ?? {};
        if (await buy({ id: 'busy', version, quantity: 1 })) sold += 1;
      }
    });
    const seller = (async () => {
      for (let round = 0; round < 40; round += 1) await listings.put('busy', listingBody({ quantity: round % 7 }));
    })();
    await Promise.all([...buyers, seller]);
    const { available, offered } = await stockOf('busy');
    expect(sold).toBeGreaterThan(0);
    expect(offered - available).toBe(sold);
  });
});

describe('any history of several orders on one listing', () => {
  const step = fc.oneof(
    fc.record({ is: fc.constant('buy' as const), quantity: fc.integer({ min: 1, max: 6 }) }),
    fc.record({
      is: fc.constantFrom(
        ...(['OrderRejected', 'ReplacementRejected', 'PaymentDeclined', 'PaymentFailed', 'TicketsShipped'] as const),
        ...(['TicketsDelivered', 'OrderConfirmed'] as const),
      ),
      order: fc.nat(5),
    }),
    fc.record({ is: fc.constant('put' as const), quantity: fc.nat(8) }),
    fc.record({ is: fc.constant('withdraw' as const) }),
  );

  it('keeps offered - available equal to the tickets in orders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const id = `model-${(orders += 1)}`;
        let { version } = await listings.put(id, listingBody({ quantity: 6 }));
        const model = { available: 6, onSale: true };
        const placed: { stream: OrderStream; held: number; sentOut: boolean }[] = [];
        for (const taken of steps) {
          if (taken.is === 'buy') {
            const stream = await buy({ id, version, quantity: taken.quantity });
            expect(stream !== undefined).toBe(model.onSale && canBuy('any', model.available, taken.quantity));
            if (!stream) continue;
            model.available -= taken.quantity;
            placed.push({ stream, held: taken.quantity, sentOut: false });
          } else if (taken.is === 'put') {
            ({ version } = await listings.put(id, listingBody({ quantity: taken.quantity })));
            Object.assign(model, { available: taken.quantity, onSale: true });
          } else if (taken.is === 'withdraw') {
            version = (await listings.withdraw(id))?.version ?? 0;
            model.onSale = false;
          } else {
            const order = placed[taken.order % Math.max(placed.length, 1)];
            if (!order) continue;
            order.stream = await store.append(order.stream, [happened(taken.is)], options);
            const rejected = taken.is === 'OrderRejected' || taken.is === 'ReplacementRejected';
            if (taken.is.startsWith('Payment') || (rejected && !order.sentOut)) {
              model.available += order.held;
              order.held = 0;
            }
            order.sentOut ||= taken.is === 'TicketsShipped' || taken.is === 'TicketsDelivered';
          }
          const held = placed.reduce((sum, order) => sum + order.held, 0);
          expect(await stockOf(id)).toEqual({ available: model.available, offered: model.available + held });
        }
      }),
      { numRuns: 60 },
    );
  });
});
