import type { Pool } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.js';
import { createPool } from './pool.js';
import { inTransaction } from './transaction.js';

let pool: Pool;
beforeEach(async () => {
  const database = await createTestDatabase();
  pool = createPool({
    databaseUrl: database.url,
    max: 1,
    applicationName: 'test',
    onError: () => undefined,
    asOwner: true,
  });
  await pool.query('create table notes (note text)');
  return async () => {
    await pool.end();
    await database.drop();
  };
});

const notes = async () => (await pool.query<{ note: string }>('select note from notes order by 1')).rows;
const session = async () => (await pool.query<{ id: number }>('select pg_backend_pid() as id')).rows;

it('is committed when the work is done, and returns its result', async () => {
  const given = await inTransaction(pool, async (client) => {
    await client.query(`insert into notes values ('one')`);
    return 'done';
  });
  expect(given).toBe('done');
  expect(await notes()).toEqual([{ note: 'one' }]);
});

it('is rolled back when the work throws, and the connection stays usable', async () => {
  const before = await session();
  const work = inTransaction(pool, async (client) => {
    await client.query(`insert into notes values ('one')`);
    throw new Error('second thoughts');
  });
  await expect(work).rejects.toThrow('second thoughts');
  expect(await notes()).toEqual([]);
  expect(await session()).toEqual(before);
});

it('throws if a statement failed and the work swallowed its error', async () => {
  const work = inTransaction(pool, async (client) => {
    await client.query(`insert into notes values ('one')`);
    await client.query('select 1 / 0').catch(() => undefined);
  });
  await expect(work).rejects.toThrow('failed unnoticed');
  expect(await notes()).toEqual([]);
});

it('throws the reason when the connection is lost, and the pool opens another one', async () => {
  const before = await session();
  const work = inTransaction(pool, async (client) => {
    await client.query('select pg_terminate_backend(pg_backend_pid())');
  });
  await expect(work).rejects.toThrow(/terminat/i);
  expect(await session()).not.toEqual(before);
});
