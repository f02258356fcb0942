import { afterAll, beforeAll, expect, it } from 'vitest';
import pg from 'pg';
import { startTestApi, type TestApi } from './support/api.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import { until } from './support/until.js';

const PURCHASES = 20;

// 38.1 records with 4,110 bytes when this was written, two and 216 of them for the ledger. One more index adds a record with 20 to 70 bytes.
const MOST_RECORDS = 38.8;
const MOST_BYTES = 4_150;

let api: TestApi;
let server: pg.Client;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  server = new pg.Client(api.databaseUrl);
  await server.connect();
  await server.query('create extension pg_walinspect');
});
afterAll(async () => {
  await server.end();
  await api.close();
});

async function one<T>(text: string, values: unknown[] = []): Promise<T> {
  const { rows } = await server.query<{ one: T }>(text, values);
  return rows[0]!.one;
}

async function buy(name: string): Promise<void> {
  for (let number = 1; number <= PURCHASES; number += 1) {
    const { status } = await api.wholesale.buy({ ...wholesaleBody(), ref_id: `${name}-${number}` });
    expect(status).toBe(201);
  }
}

// Without the record of the request, which is written once a second.
it('writes no more to the log of PostgreSQL for a purchase than it must', async () => {
  await buy('first');
  const position = () => one<string>('select pg_current_wal_insert_lsn()::text as one');
  const from = await position();
  await buy('second');
  const to = await position();
  await until(() => one<boolean>('select pg_current_wal_flush_lsn() >= $1::pg_lsn as one', [to]));
  const { rows } = await server.query<{ records: number; bytes: number }>(
    `select count(*)::int as records, sum(block_data_length)::int as bytes from pg_get_wal_block_info($1, $2, false)
     where reldatabase = (select oid from pg_database where datname = current_database())
       and relfilenode = any(select pg_relation_filenode(oid) from pg_class where relnamespace = 'public'::regnamespace
         and relname not like 'recorded_requests%')
       and resource_manager in ('Heap', 'Heap2', 'Btree')`,
    [from, to],
  );
  expect(rows[0]!.records / PURCHASES).toBeLessThan(MOST_RECORDS);
  expect(rows[0]!.bytes / PURCHASES).toBeLessThan(MOST_BYTES);
});
