import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#database/migrate';
import { rebuild } from '#orders/rebuild';
import { createTestDatabase, ownerPool, ownerUrl, type TestDatabase } from './support/database.js';
import { fillLog } from './support/orders/bulk-log.js';

const PAGE = readFileSync(new URL('../docs/analysts.md', import.meta.url), 'utf8');
const LOGIN = `analyst_${randomBytes(4).toString('hex')}`;

/** Columns of tables that no view may show. */
const PERSONAL =
  'personal, ref_id, transaction_id, tracking_number, card_last4, sealed_claims, other_tickets, note, sealed_note, reason, reference, external_id, stock_seats, held_seats, document, own'.split(
    ', ',
  );

let database: TestDatabase;
let owner: pg.Pool;
let analyst: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerPool(database.url);
  await onServer(`create role ${LOGIN} login password 'secret' in role willcall_analyst`);
  await fillLog(owner, 40);
  analyst = new pg.Client(Object.assign(new URL(database.url), { username: LOGIN, password: 'secret' }).href);
  await analyst.connect();
});
afterAll(async () => {
  await analyst.end();
  await owner.end();
  await database.drop();
  await onServer(`drop role ${LOGIN}`, new URL('/postgres', database.url).href);
});

async function onServer(statement: string, url = database.url): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** By view, in order. */
async function viewColumns(): Promise<Record<string, string[]>> {
  const { rows } = await owner.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) as columns from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'analytics'::regnamespace and attnum > 0 group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

const count = async (view: string) =>
  (await analyst.query<{ count: number }>(`select count(*)::int from analytics.${view}`)).rows[0]?.count;

it('has the columns that the page lists', async () => {
  const listed = [...PAGE.matchAll(/^\| `(\w+)` \| .* \| (`.*`) \|$/gm)].map(([, view = '', columns = '']) => {
    return [view, [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column)] as const;
  });
  expect(Object.fromEntries(listed)).toEqual(await viewColumns());
});

it('lets an analyst read each view, and change none', async () => {
  for (const view of Object.keys(await viewColumns())) {
    expect(await count(view), view).toBeTypeOf('number');
    await expect(analyst.query(`delete from analytics.${view}`)).rejects.toMatchObject({ code: /42501|55000/ });
  }
  expect([await count('orders'), await count('pings')]).toEqual([40, expect.any(Number)]);
});

it('lets an analyst read no table, and create nothing', async () => {
  const { rows } = await analyst.query(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname not in ('pg_catalog', 'information_schema', 'analytics') and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and case relkind when 'S' then has_sequence_privilege(c.oid, 'usage, select')
         else has_table_privilege(c.oid, 'select, insert, update, delete, truncate') or has_any_column_privilege(c.oid, 'select') end`,
  );
  expect(rows).toEqual([]);
  await expect(analyst.query('select from orders')).rejects.toMatchObject({ code: '42501' });
  for (const schema of ['public', 'analytics']) {
    await expect(analyst.query(`create table ${schema}.mine ()`)).rejects.toMatchObject({ code: '42501' });
  }
});

it('runs the queries of the page', async () => {
  const queries = [...PAGE.matchAll(/```sql\n(select[^]*?)```/g)].map(([, sql = '']) => sql);
  expect(queries).toHaveLength(3);
  for (const sql of queries) await analyst.query(sql);
});

it('shows no column that can have personal data', async () => {
  const { rows } = await owner.query(
    `select view_name, table_name, column_name from information_schema.view_column_usage
     where view_schema = 'analytics' and column_name = any($1)`,
    [PERSONAL],
  );
  expect(rows).toEqual([]);
});

it('shows nothing of an order that tells who the buyer is', async () => {
  const secret = 'Lovelace';
  const purchase = {
    ref_id: secret,
    delivery_method: { type: 'download', data: { email: secret } },
    fulfillment: { data: { url: secret } },
  };
  const payment = { state: 'captured', provider: 'sandbox', last_four: secret, reference: secret, reason: secret };
  await owner.query(
    `insert into orders (id, version, client_id, variant, stage, event_id, listing_id, quantity, stock_held, total_cents, ref_id, transaction_id,
       placed_at, updated_at, tracking_number, card_last4, external_id, purchase, summary)
     values ('ord_1', 1, 'c', 'payment', 'placed', '1', 'l', 1, 1, 100, $1, $1, now(), now(), $1, $1, $1, $2, $3)`,
    [secret, purchase, { payment }],
  );
  await owner.query(
    `insert into status_history (order_id, sequence, position, status, status_code, status_message, actor, note, recorded_at)
     values ('ord_1', 1, 1, 'confirmed', 2000, 'Confirmed', 'operator:${secret}', $1, now())`,
    [secret],
  );
  await owner.query(
    `insert into pings (order_id, sequence, position, client_id, ref_id, status, status_code, status_message, occurred_at, transaction_id, state, due_since)
     values ('ord_1', 1, 1, 'c', $1, 'confirmed', 2000, 'Confirmed', now(), $1, 'delivered', now())`,
    [secret],
  );
  for (const view of ['orders', 'payments', 'order_status_changes', 'pings']) {
    const key = view === 'orders' ? 'id' : 'order_id';
    const { rows } = await analyst.query(`select * from analytics.${view} where ${key} = 'ord_1'`);
    expect(rows, view).toHaveLength(1);
    expect(JSON.stringify(rows), view).not.toContain(secret);
  }
});

it('follows a table that was rebuilt, with its rights and comments', async () => {
  const comments = async () =>
    (await owner.query("select obj_description('analytics.orders'::regclass) as says")).rows as unknown[];
  const before = await comments();
  await owner.query("delete from status_history; delete from orders; delete from pings where order_id = 'ord_1'");
  expect(await count('orders')).toBe(0);
  for (const table of ['orders', 'status_history', 'ledger_entries', 'disputes'] as const) await rebuild(owner, table);
  expect(await count('orders')).toBe(40);
  expect(await count('order_status_changes')).toBeGreaterThan(40);
  expect(await comments()).toEqual(before);
});

it('gives the role its rights once an administrator has created it', async () => {
  await onServer(`revoke all on all tables in schema analytics from willcall_analyst`);
  await expect(count('orders')).rejects.toMatchObject({ code: '42501' });
  await migrate(ownerUrl(database.url));
  expect(await count('orders')).toBe(40);
});
