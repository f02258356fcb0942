import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { SeededRandomness } from '#base/seeded-randomness';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { LiveOrders } from '../../../test/support/orders/live-orders.js';
import { moveSomeToFeed } from '../../../test/support/orders/tampering.js';
import { StockStats } from './stock-stats.js';

let database: TestDatabase;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({
    databaseUrl: database.url,
    max: 1,
    applicationName: 'test',
    asOwner: true,
    onError: () => undefined,
  });
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function ordersRead(): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = 'orders'`,
  );
  return rows[0]?.read ?? 0;
}

it('reads only the orders of new feed entries, however many orders there are', async () => {
  const orders = new LiveOrders(pool, new SeededRandomness(5));
  const stats = new StockStats(pool);
  await orders.live(400);
  await moveSomeToFeed(pool);
  while (await stats.step());
  await pool.query('analyze');
  await orders.live(10);
  await moveSomeToFeed(pool);
  const before = await ordersRead();
  await stats.step();
  const read = (await ordersRead()) - before;
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(50);
});
