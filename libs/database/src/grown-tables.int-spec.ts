import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { analyzeGrownTables } from './grown-tables.js';
import { createPool } from './pool.js';

let database: TestDatabase;
let owner: Pool;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  owner = createPool({ ...options, max: 2, asOwner: true });
  pool = createPool({ ...options, max: 2 });
  await owner.query('create table growing (number int) with (autovacuum_enabled = off)');
  // Like every table of Willcall.
  await owner.query('alter table growing owner to willcall_owner');
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

beforeEach(async () => {
  await owner.query('truncate growing');
  await owner.query('analyze');
});

/** Rows that nobody has analysed, visible to the statistics at once. */
async function grow(rows: number): Promise<void> {
  const client = await owner.connect();
  await client.query('insert into growing select generate_series(1, $1)', [rows]);
  await client.query('select pg_stat_force_next_flush()');
  client.release();
  await until(async () => (await changes()) >= rows);
}

async function changes(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select n_mod_since_analyze as count from pg_stat_user_tables where relname = 'growing'`,
  );
  return rows[0]?.count ?? 0;
}

const known = async () =>
  (await owner.query<{ rows: number }>(`select reltuples::int as rows from pg_class where relname = 'growing'`)).rows[0]
    ?.rows;

it('analyses a table that has doubled, and not again until it doubles again', async () => {
  await grow(500);
  expect(await analyzeGrownTables(pool)).toEqual(['growing']);
  expect(await known()).toBe(500);
  await until(async () => (await changes()) === 0);
  expect(await analyzeGrownTables(pool)).toEqual([]);
  await grow(499);
  expect(await analyzeGrownTables(pool)).toEqual([]);
  await grow(2);
  expect(await analyzeGrownTables(pool)).toEqual(['growing']);
  expect(await known()).toBe(1_001);
});

it('leaves small tables to autovacuum', async () => {
  await grow(100);
  expect(await analyzeGrownTables(pool)).toEqual([]);
});

it('skips a locked table until the next time', async () => {
  await grow(500);
  const client = await owner.connect();
  await client.query('begin');
  await client.query('lock table growing in share update exclusive mode');
  expect(await analyzeGrownTables(pool)).toEqual([]);
  await client.query('commit');
  client.release();
  expect(await analyzeGrownTables(pool)).toEqual(['growing']);
});

it('lets one process do it at a time', async () => {
  await grow(500);
  const analyzed = await Promise.all([analyzeGrownTables(pool), analyzeGrownTables(pool)]);
  expect(analyzed.flat()).toEqual(['growing']);
});
