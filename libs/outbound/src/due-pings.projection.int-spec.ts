import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { orderNo } from '../../../test/support/pings/ping-rows.js';
import { duePingsProjection } from './due-pings.projection.js';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, applicationName: 'test', onError: () => undefined, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it.each([3_600_000, -3_600_000])('a ping is due by the clock of the database, whose event is %d ms off', async (ms) => {
  const occurredAt = new Date(Date.now() + ms);
  const row = {
    order_id: orderNo(Math.abs(ms) + Math.sign(ms)),
    sequence: 1,
    position: 2,
    client_id: 'cli_1',
    ref_id: null,
  };
  const status = { status: 'pending', status_code: 1000, status_message: 'Pending', transaction_id: 'tx' };
  const columns = Object.entries(duePingsProjection.columns).map(([name, type]) => `${name} ${type}`);
  const source = `json_to_recordset($1::json) as new(${columns.join(', ')})`;
  await pool.query('begin');
  await pool.query(duePingsProjection.statement(source), [
    JSON.stringify([{ ...row, ...status, occurred_at: occurredAt }]),
  ]);
  const { rows } = await pool.query(
    `select occurred_at, due_since = date_trunc('milliseconds', now()) as due, next_try_at = due_since as same
     from pings where order_id = $1`,
    [row.order_id],
  );
  await pool.query('commit');
  expect(rows).toEqual([{ occurred_at: occurredAt, due: true, same: true }]);
});
