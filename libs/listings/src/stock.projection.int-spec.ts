import fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { createPool } from '#database/pool';
import { freeSeats } from '#domain/seats';
import { canBuy, type SplitRule } from '#domain/splits';
import type { OrderEvent } from '#domain/order-events';
import { type Order, orderFold } from '#domain/order-state';
import { EventStore, type Stream, ProjectionConflict } from '#event-store/event-store';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { listingBody } from '../../../test/support/listing-body.js';
import { PURCHASE } from '../../../test/support/orders/received-purchase.js';
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
type Wanted = { id: string; version: number; quantity: number; seats?: readonly string[] };

/** The order's stream, or undefined if there was not enough stock. */
async function buy({ id, version, quantity, seats }: Wanted): Promise<OrderStream | undefined> {
  const product = { event_id: '1001', listing_id: id, quantity, ...(seats && { seats }) };
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

  it('of a seat that another order has fails, until it comes back', async () => {
    const { version } = await listings.put('named', listingBody({ quantity: 4, seats: ['5', '6', '7', '8'] }));
    const wanted = (...seats: string[]) => ({ id: 'named', version, quantity: seats.length, seats });
    const first = await buy(wanted('5', '6'));
    expect(await buy(wanted('6', '7'))).toBeUndefined();
    expect(await buy(wanted('7'))).toBeDefined();
    await store.append(first!, [happened('OrderRejected')], options);
    expect((await listings.find('named'))?.heldSeats).toEqual(['7']);
    expect(await buy(wanted('6', '8'))).toBeDefined();
    expect(await stockOf('named')).toEqual({ available: 1, offered: 4 });
  });

  it('sells ten tickets to fifty concurrent buyers', async () => {
    const { version } = await listings.put('hot', listingBody({ quantity: 10 }));
    const bought = await Promise.all(Array.from({ length: 50 }, () => buy({ id: 'hot', version, quantity: 1 })));
    expect(bought.filter(Boolean)).toHaveLength(10);
    expect(await stockOf('hot')).toEqual({ available: 0, offered: 10 });
  });

  describe('of several listings at once', () => {
    let ids: string[];
    let special: string;
    let runs = 0;
    let versions: Map<string, number>;
    let statements: string[];
    const sold = async () => (await Promise.all(ids.map(stockOf))).map(({ offered, available }) => offered - available);
    const wantAll = (quantity: number) => ids.map((id) => ({ id, version: versions.get(id) ?? 0, quantity }));

    beforeEach(async () => {
      runs += 1;
      ids = Array.from({ length: 20 }, (_, index) => `shared-${runs}-${index}`);
      special = `shared-${runs}-7`;
      versions = new Map();
      for (const id of ids) versions.set(id, (await listings.put(id, listingBody({ quantity: 4 }))).version);
      statements = [];
      const query = pool.query.bind(pool);
      vi.spyOn(pool, 'query').mockImplementation(((config: { name?: string }) => {
        statements.push(config.name?.replace(/\.new.*x/, ' x') ?? '');
        return query(config as never);
      }) as never);
    });
    afterEach(() => void vi.restoreAllMocks());

    it('shares statements', async () => {
      expect(await Promise.all(wantAll(2).map(buy))).not.toContain(undefined);
      expect(statements).toEqual([1, 1, 8, 8, 2].map((size) => `append.group x${size}`));
      expect(await sold()).toEqual(ids.map(() => 2));
    });

    it('shares none with an order that gives tickets back, which may be locked itself', async () => {
      const [stream] = await Promise.all(wantAll(2).map(buy));
      if (!stream) throw new Error('all were bought');
      await store.append(stream, [happened('OrderRejected')], options);
      expect(statements.at(-1)).toMatch(/^append\.next/);
      expect((await sold()).toSorted((one, other) => one - other)).toEqual([0, ...ids.slice(1).map(() => 2)]);
    });

    it('fails only for the one that has too few', async () => {
      versions.set(special, 99);
      const bought = await Promise.all(wantAll(4).map(buy));
      expect(bought.map(Boolean)).toEqual(ids.map((id) => id !== special));
      expect(await sold()).toEqual(ids.map((id) => (id === special ? 0 : 4)));
    });

    it('waits for locked listings only with the purchases of those listings', async () => {
      // More than there are statements at a time.
      const isLocked = ({ id }: Wanted) => [0, 1, 7].includes(ids.indexOf(id));
      const other = await pool.connect();
      await other.query('begin');
      const lockedIds = wantAll(1)
        .filter(isLocked)
        .map(({ id }) => id);
      await other.query('select from listings where id = any($1) for update', [lockedIds]);
      const locked = wantAll(1).filter(isLocked).map(buy);
      const free = wantAll(1)
        .filter((wanted) => !isLocked(wanted))
        .map(buy);
      expect(await Promise.all(free)).not.toContain(undefined);
      expect(await sold()).toEqual(wantAll(1).map((wanted) => (isLocked(wanted) ? 0 : 1)));
      await other.query('commit');
      other.release();
      expect(await Promise.all(locked)).not.toContain(undefined);
      expect(await sold()).toEqual(ids.map(() => 1));
    });
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
    fc.record({
      is: fc.constant('put' as const),
      quantity: fc.nat(8),
      seats: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5', '6'), { maxLength: 6 }),
    }),
    fc.record({ is: fc.constant('withdraw' as const) }),
  );

  it('keeps offered - available equal to the tickets in orders, and no seat in two of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const id = `model-${(orders += 1)}`;
        let { version } = await listings.put(id, listingBody({ quantity: 6 }));
        const model = { available: 6, onSale: true };
        const placed: { stream: OrderStream; held: number; seats: readonly string[]; sentOut: boolean }[] = [];
        for (const taken of steps) {
          if (taken.is === 'buy') {
            const free = freeSeats((await listings.find(id))!).slice(0, taken.quantity);
            const seats = free.length === taken.quantity ? free : [];
            const named = seats.length > 0 && { seats };
            const stream = await buy({ id, version, quantity: taken.quantity, ...named });
            expect(stream !== undefined).toBe(model.onSale && canBuy('any', model.available, taken.quantity));
            if (!stream) continue;
            model.available -= taken.quantity;
            placed.push({ stream, held: taken.quantity, seats, sentOut: false });
          } else if (taken.is === 'put') {
            ({ version } = await listings.put(id, listingBody({ quantity: taken.quantity, seats: taken.seats })));
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
              Object.assign(order, { held: 0, seats: [] });
            }
            order.sentOut ||= taken.is === 'TicketsShipped' || taken.is === 'TicketsDelivered';
          }
          const held = placed.reduce((sum, order) => sum + order.held, 0);
          expect(await stockOf(id)).toEqual({ available: model.available, offered: model.available + held });
          const seats = placed.flatMap((order) => order.seats);
          expect([...(await listings.find(id))!.heldSeats].sort()).toEqual(seats.sort());
          expect(new Set(seats).size).toBe(seats.length);
        }
      }),
      { numRuns: 60 },
    );
  });
});
