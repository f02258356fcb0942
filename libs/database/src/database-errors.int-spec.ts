import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { createPool } from './pool.js';

let database: TestDatabase;
let pool: pg.Pool;
let owner: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create table notes (note text primary key); insert into notes values ('one')`);
  await owner.query('grant all on notes to willcall_app');
  pool = createPool({
    databaseUrl: database.url,
    max: 1,
    applicationName: 'test',
    onError: () => undefined,
    lockTimeoutMs: 50,
  });
});
afterEach(async () => {
  await pool.end();
  await owner.end();
  await database.drop();
});

const session = async () => (await pool.query<{ id: number }>('select pg_backend_pid() as id')).rows[0]?.id;

describe('a connection goes on after', () => {
  it.each([
    ['a row that exists already', `insert into notes values ('one')`, '23505'],
    ['a value that does not fit', `select 'many'::int`, '22P02'],
    ['an exception of a function', `do $$ begin raise exception using errcode = 'WC001'; end $$`, 'WC001'],
  ])('%s', async (_, statement, code) => {
    const before = await session();
    await expect(pool.query(statement)).rejects.toMatchObject({ code });
    expect(await session()).toBe(before);
  });

  it('a lock that it did not get', async () => {
    const before = await session();
    await owner.query('begin; lock table notes');
    await expect(pool.query('select from notes')).rejects.toMatchObject({ code: '55P03' });
    await owner.query('commit');
    expect(await session()).toBe(before);
  });
});

describe('a connection is replaced after', () => {
  it('its session has ended', async () => {
    const before = await session();
    const ended = pool.query('select pg_sleep(20)');
    await Promise.all([expect(ended).rejects.toThrow(), owner.query('select pg_terminate_backend($1)', [before])]);
    expect(await session()).not.toBe(before);
  });

  it('a prepared statement whose table has changed, which would fail again', async () => {
    const all = { name: 'all-notes', text: 'select * from notes' };
    await pool.query(all);
    await owner.query('alter table notes add column at date');
    await expect(pool.query(all)).rejects.toMatchObject({ code: '0A000' });
    expect((await pool.query(all)).rows).toEqual([{ note: 'one', at: null }]);
  });
});
