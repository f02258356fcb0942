import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { DatabaseEpoch, renewEpoch } from './epoch.js';
import { createPool } from './pool.js';

let database: TestDatabase;
let owner: Pool;
const onError = () => undefined;

const poolWith = (epoch: DatabaseEpoch, databaseUrl = database.url) =>
  createPool({ databaseUrl, max: 3, applicationName: 'willcall spec', epoch, onError });
const epochIn = async (pool: Pool) =>
  (await pool.query<{ epoch: string }>('select epoch from database_epoch')).rows[0]?.epoch;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createPool({ databaseUrl: database.url, max: 1, applicationName: 'spec', asOwner: true, onError });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

it('is known before the first query, and the same for all connections and processes', async () => {
  const epochs = [new DatabaseEpoch(), new DatabaseEpoch()];
  const pools = epochs.map((epoch) => poolWith(epoch));
  await Promise.all(pools.flatMap((pool) => [1, 2, 3].map(() => pool.query('select pg_sleep(0.05)'))));
  expect(epochs[0]?.current).toMatch(/^[0-9a-f]{12}$/);
  expect(epochs[1]?.current).toBe(epochs[0]?.current);
  expect(await epochIn(owner)).toBe(epochs[0]?.current);
  await Promise.all(pools.map((pool) => pool.end()));
});

it('is different in a copy of the database, and on a server with another identity', async () => {
  const original = new DatabaseEpoch();
  const pool = poolWith(original);
  await pool.query('select');
  await pool.end();
  await owner.end();
  const copy = await createTestDatabase(database);
  owner = createPool({ databaseUrl: database.url, max: 1, applicationName: 'spec', asOwner: true, onError });
  const [copied, again] = [new DatabaseEpoch(), new DatabaseEpoch()];
  const copyPool = poolWith(copied, copy.url);
  await copyPool.query('select');
  expect(copied.current).not.toBe(original.current);
  await copyPool.end();

  // As after a promotion: the stored timeline is not the server's current one.
  await owner.query(`update database_epoch set identity = replace(identity, '/00000001/', '/00000000/')`);
  const promoted = poolWith(again);
  await promoted.query('select');
  expect(again.current).not.toBe(original.current);
  await promoted.end();
  await copy.drop();
});

it('reports a change before the first query of a new connection, and drops connections of the old epoch', async () => {
  const epoch = new DatabaseEpoch();
  const [pool, other] = [poolWith(epoch), poolWith(epoch)];
  await Promise.all([pool.query('select'), other.query('select')]);
  const told: string[] = [];
  epoch.onChange(() => told.push(`changed to ${epoch.current}`));
  const held = await other.connect();
  // Only the mark: no connection is ended, as if the old server continued beside the new one.
  await owner.query('select renew_epoch()');
  await Promise.all(
    [1, 2].map((n) => pool.query('select pg_sleep(0.02)').then(() => told.push(`query ${n}`), onError)),
  );
  const renewed = await epochIn(owner);
  expect(told).toContain(`changed to ${renewed}`);
  await expect(held.query('select')).rejects.toThrow();
  held.release(true);
  await Promise.all([pool.end(), other.end()]);
});

it('is renewed by hand, and every process notices with its next connection', async () => {
  const epoch = new DatabaseEpoch();
  const pool = poolWith(epoch);
  await pool.query('select');
  const renewed = await renewEpoch(owner, owner);
  await until(async () => {
    await pool.query('select');
    return epoch.current === renewed;
  });
  await pool.end();
});

it('cannot be started or written by the application', async () => {
  const pool = poolWith(new DatabaseEpoch());
  await expect(pool.query('select renew_epoch()')).rejects.toThrow('permission denied');
  await expect(pool.query(`update database_epoch set epoch = 'x'`)).rejects.toThrow('permission denied');
  await pool.end();
});

it('is that of the table if the server does not reveal its identity', async () => {
  await owner.query('revoke execute on function pg_control_system(), pg_walfile_name(pg_lsn) from public');
  const epoch = new DatabaseEpoch();
  await owner.query(`create role unprivileged_owner; grant all on database_epoch to unprivileged_owner;
    grant create on schema public to unprivileged_owner;
    alter function current_epoch() owner to unprivileged_owner;
    alter function database_identity() owner to unprivileged_owner`);
  try {
    const pool = poolWith(epoch);
    await pool.query('select');
    await pool.end();
    expect((await owner.query('select identity from database_epoch')).rows[0]).toMatchObject({
      identity: expect.stringMatching(/^\?\/\?\/\d+$/),
    });
  } finally {
    await owner.query(`grant execute on function pg_control_system(), pg_walfile_name(pg_lsn) to public;
      drop owned by unprivileged_owner; drop role unprivileged_owner`);
  }
});
