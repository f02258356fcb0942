import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OrderSearchRequest } from '../order-search.contract.js';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { SeededRandomness } from '#base/seeded-randomness';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { rowsRead } from '../../../../test/support/postgres/rows-read.js';
import { vacuumed } from '../../../../test/support/postgres/vacuumed.js';
import { OrderFinder } from '../order-finder.js';

const ORDERS = 6_000;
// The newest orders have no tracking number yet, and were not delivered.
const TRACKED = 2_000;
// All but the oldest orders are overdue. Two of these are snoozed.
const IN_TIME = 42;
// The oldest orders have several pings that were never delivered.
const PARKED = 60;

// Orders in the middle of the list were paid with cards.
const PAID_BY_CARD = 900;

// The oldest orders came from another platform.
const OF_RARE_CLIENT = 60;

let database: TestDatabase;
let pool: Pool;
let finder: OrderFinder;

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = ownerPool(database.url);
  await owner.query(
    `insert into orders (id, version, client_id, variant, stage, status, status_code, event_id, listing_id, quantity, stock_held, total_cents,
       transaction_id, placed_at, updated_at, tracking_number, card_last4, queue, has_replacement, has_refund, purchase, summary)
     select 'ord_' || n, 1, case when n <= $4 then 'rare' else 'c' end, 'wholesale', 'placed', 'confirmed', case when n <= $2 then 2004 else 2000 end, 'e', 'l', 2, 0, 100, 't' || n, placed_at, placed_at,
       case when n <= $2 then 'TRACK' || n end, case when n between $2 and $2 + $3 then 4000 + n % 50 end, 'exceptions', false, false, '{}', '{}'
     from generate_series(1, $1::int) n cross join lateral (select timestamptz '2026-01-01' + interval '1 hour' * n as placed_at) as placed`,
    [ORDERS, TRACKED, PAID_BY_CARD - 1, OF_RARE_CLIENT],
  );
  await owner.query(
    `insert into work_items (order_id, queue, place, since, due_at, snoozed_until)
     select id, queue, case when number > $1 then 'overdue' when number > 2 then queue end, placed_at, placed_at,
       case when number <= 2 then timestamptz '2099-01-01' end
     from (select *, row_number() over (order by placed_at) as number from orders) as o`,
    [IN_TIME],
  );
  await owner.query(
    `insert into pings (order_id, sequence, position, client_id, status, status_code, status_message, occurred_at, transaction_id, state, due_since)
     select 'ord_' || n, ping, 1, 'c', 'confirmed', 2000, 'Confirmed', now(), 't', case when n <= $2 then 'parked' else 'delivered' end, now()
     from generate_series(1, $1::int) n, generate_series(1, 4) ping`,
    [ORDERS, PARKED],
  );
  await vacuumed(owner);
  await owner.end();
  pool = createPool({ databaseUrl: database.url, max: 1, applicationName: 'spec', onError: () => undefined });
  finder = new OrderFinder(pool, new FixedClock(), new Sealer(Buffer.alloc(32, 7), new SeededRandomness(1)));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function find(body: unknown): Promise<number> {
  const { where, q, sort } = OrderSearchRequest.parse(body);
  const page = { limit: 51, after: undefined };
  return (await finder.find({ where, q, sort }, page, { sellers: undefined, buyers: true })).length;
}

it('finds orders with a tracking number without reading the newer ones', async () => {
  const where = { field: 'tracking_number', op: 'is_null', value: false };
  const read = await rowsRead(pool, ['orders'], async () => expect(await find({ where })).toBe(51));
  expect(read).toBeLessThan(500);
});

it('finds orders by how a card begins without reading those of other pages', async () => {
  const where = { field: 'card_last4', op: 'starts_with', value: '40' };
  const read = await rowsRead(pool, ['orders'], async () => expect(await find({ where })).toBe(51));
  expect(read).toBeLessThan(300);
});

it('keeps the plan that reads what a page shows, whatever was searched for', async () => {
  const read = await rowsRead(pool, ['orders', 'personal_data_keys', 'order_desk', 'operators'], async () => {
    // PostgreSQL plans a named statement anew five times, and then keeps a plan that promises not to be slower.
    for (let turn = 1; turn <= 8; turn += 1) {
      const where = { field: 'placed_at', op: '<', value: `2026-0${turn}-02T00:00:00Z` };
      expect(await find({ where })).toBeGreaterThan(20);
    }
  });
  const { rows } = await pool.query(`select name from pg_prepared_statements where generic_plans > 0`);
  expect(rows).toEqual([{ name: 'listed-orders' }]);
  expect(read).toBeLessThan(8 * 51 * 4);
});

it.each([undefined, ['none']])(
  'lists a queue by due time without reading other orders (sellers: %s)',
  async (sellers) => {
    const queue = { id: 'overdue', snoozed: false, escalated: false };
    const question = { where: undefined, q: undefined, sort: 'queue.asc', queue } as const;
    const page = { limit: 51, after: undefined };
    const read = await rowsRead(pool, ['orders', 'work_items'], async () => {
      expect(await finder.find(question, page, { sellers, buyers: true })).toHaveLength(sellers ? 0 : 51);
    });
    expect(read).toBeLessThan(200);
  },
);

it('lists orders by deadline without reading those of other pages', async () => {
  const page = { limit: 51, after: undefined };
  const question = { where: undefined, q: undefined, sort: 'confirm_by.asc' } as const;
  const read = await rowsRead(pool, ['orders'], async () => {
    expect(await finder.find(question, page, { sellers: undefined, buyers: true })).toHaveLength(51);
  });
  expect(read).toBeLessThan(300);
});

it('finds overdue orders without reading those of other pages', async () => {
  const where = { field: 'queue', op: '=', value: 'overdue' };
  const read = await rowsRead(pool, ['orders', 'work_items'], async () => expect(await find({ where })).toBe(51));
  expect(read).toBeLessThan(1_000);
});

it('finds the orders of a queue without looking up all of its overdue ones', async () => {
  const where = { field: 'queue', op: '=', value: 'exceptions' };
  const read = await rowsRead(pool, ['orders', 'work_items'], async () => {
    // As with more orders. So few are read as a whole.
    await pool.query(
      'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off',
    );
    expect(await find({ where })).toBe(IN_TIME);
  });
  expect(read).toBeLessThan(1_500);
});

it('finds orders with a parked ping without reading the others', async () => {
  const where = { field: 'has', op: '=', value: 'parked_ping' };
  const read = await rowsRead(pool, ['orders'], async () => expect(await find({ where })).toBe(51));
  expect(read).toBeLessThan(1_000);
});

it('finds orders by their code without reading the newer ones', async () => {
  const where = { field: 'status_code', op: '=', value: 2004 };
  const read = await rowsRead(pool, ['orders'], async () => expect(await find({ where })).toBe(51));
  expect(read).toBeLessThan(1_000);
});

it.each([
  ['=', 'rare'],
  ['in', ['rare', 'nobody']],
] as const)('finds old orders of a client without reading the newer ones (%s)', async (op, value) => {
  const where = { field: 'client_id', op, value };
  const read = await rowsRead(pool, ['orders'], async () => expect(await find({ where })).toBe(51));
  expect(read).toBeLessThan(300);
});

it.each(['placed_at.asc', 'placed_at.desc', 'updated_at.asc', 'updated_at.desc'] as const)(
  'lists by %s without reading orders of other pages',
  async (sort) => {
    const question = { where: undefined, q: undefined, sort };
    const access = { sellers: undefined, buyers: true };
    const [last] = (await finder.find(question, { limit: 51, after: undefined }, access)).slice(-1);
    const read = await rowsRead(pool, ['orders'], async () => {
      expect(await finder.find(question, { limit: 51, after: last?.position }, access)).toHaveLength(51);
    });
    expect(read).toBeLessThan(300);
  },
);
