import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { SilentProxy } from '../../../test/support/silent-proxy.js';
import { until } from '../../../test/support/until.js';
import { DatabaseProbe } from './database-probe.js';
import { connectionConfig } from './pool.js';
import { READ_ONLY } from './unusable-database.js';

const NAME = 'willcall test health';

let database: TestDatabase;
let owner: Pool;
let proxy: SilentProxy;
let probe: DatabaseProbe;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerPool(database.url);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});
beforeEach(async () => {
  proxy = await SilentProxy.before(database.url);
  probe = probeOf(proxy.through(database.url));
});
afterEach(async () => {
  probe.end();
  await proxy.close();
});

function probeOf(databaseUrl: string): DatabaseProbe {
  return new DatabaseProbe(connectionConfig({ databaseUrl, applicationName: NAME }));
}

async function sessions(): Promise<number> {
  const { rows } = await owner.query<{ sessions: number }>(
    'select count(*)::int as sessions from pg_stat_activity where application_name = $1',
    [NAME],
  );
  return rows[0]?.sessions ?? 0;
}

it('a usable database has no error, and concurrent checks share one connection', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, () => probe.check()))).toEqual(Array(20).fill(undefined));
  expect(await probe.check()).toBeUndefined();
  expect(proxy.accepted).toBe(1);
  expect(await sessions()).toBe(1);
});

it('a silent connection is an error after 2 s, and the next check uses a new one', async () => {
  await probe.check();
  proxy.silence();
  const began = performance.now();
  // Concurrent checks get the same result.
  expect(await Promise.all([probe.check(), probe.check()])).toEqual(
    Array(2).fill('the database has not answered within 2000 ms'),
  );
  expect(performance.now() - began).toBeGreaterThan(1_900);
  expect(await probe.check()).toBeUndefined();
  expect(proxy.accepted).toBe(2);
});

it('a connection that the server ended is replaced without an error', async () => {
  await probe.check();
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [NAME]);
  await until(async () => (await sessions()) === 0);
  await until(async () => (await probe.check()) === undefined);
  expect(await sessions()).toBe(1);
});

it('a read-only database is an error with its reason until it is writable', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await owner.query(`alter database ${name} set default_transaction_read_only = on`);
  try {
    expect(await probe.check()).toBe(READ_ONLY);
  } finally {
    await owner.query(`alter database ${name} reset default_transaction_read_only`);
  }
  expect(await probe.check()).toBeUndefined();
});

it('a rejected login is an error that says what to do, without the address', async () => {
  const elsewhere = probeOf(database.url.replace(/[^/]*$/, 'nowhere'));
  expect(await elsewhere.check()).toMatch(/^The server has no database/);
});

it('an unreachable server is an error at once', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const nobody = probeOf(`postgres://someone@127.0.0.1:${port}/willcall`);
  expect(await nobody.check()).toBe('the database does not answer');
});

it('end closes its connection', async () => {
  await probe.check();
  probe.end();
  await until(async () => (await sessions()) === 0);
});
