import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Listings } from '#listings/listings';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { until } from '../../../test/support/until.js';
import { loadSampleData } from './sample-data.js';

const clock = new FixedClock();
let databases: TestDatabase[];
let pools: Pool[];

beforeEach(async () => {
  databases = [await createTestDatabase(), await createTestDatabase()];
  pools = databases.map(({ url }) => ownerPool(url));
});
afterEach(async () => {
  for (const pool of pools) await pool.end();
  for (const database of databases) await database.drop();
});

async function idsIn(pool: Pool | undefined): Promise<string[]> {
  const tables = ['discovery_taxonomies', 'discovery_venues', 'discovery_performers', 'discovery_events', 'listings'];
  const each = tables.map((table) => `select '${table} ' || id as id from ${table}`);
  const rows = await pool?.query<{ id: string }>(`${each.join(' union all ')} order by 1`);
  return rows?.rows.map(({ id }) => id) ?? [];
}

it('is completed by the next load if one was killed', async () => {
  const [pool, whole] = pools;
  const [database, other] = databases;
  if (!pool || !database || !other) throw new Error('no database');
  await loadSampleData(other.url, clock);

  const gate = await pool.connect();
  await gate.query('begin; lock table listings in share mode');
  const killed = loadSampleData(database.url, clock).catch((error: unknown) => error);
  const waiting = `from pg_stat_activity where application_name = 'willcall sample data'
    and datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await pool.query(`select ${waiting}`)).rowCount, { withinMs: 30_000 });
  await pool.query(`select pg_terminate_backend(pid) ${waiting}`);
  expect(await killed).toBeInstanceOf(Error);
  await gate.query('commit');
  gate.release();
  expect(await idsIn(pool)).not.toEqual(await idsIn(whole));

  await Promise.all([loadSampleData(database.url, clock), loadSampleData(database.url, clock)]);
  expect(await idsIn(pool)).toEqual(await idsIn(whole));
});

it('does not change existing data after the first load', async () => {
  const [pool] = pools;
  const [database] = databases;
  if (!pool || !database) throw new Error('no database');
  await loadSampleData(database.url, clock);
  const listings = new Listings(pool, clock);
  await listings.withdraw('demo-payment-1');
  expect(await loadSampleData(database.url, clock)).toEqual({ events: 0, listings: 0 });
  expect(await listings.find('demo-payment-1')).toMatchObject({ version: 2 });
});
