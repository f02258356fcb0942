import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { migrate } from './migrate.js';
import { migrations } from './migrations.js';
import { createPool } from './pool.js';

const clusterUrl = inject('clusterUrl');
const databaseName = `migrate_${randomBytes(4).toString('hex')}`;
const databaseUrl = clusterUrl.replace(/\/[^/]*$/, `/${databaseName}`);
const stranger = `stranger_${randomBytes(4).toString('hex')}`;
const pool = (options: { asOwner?: boolean; lazyCommit?: boolean; statementTimeoutMs?: number } = {}) =>
  createPool({ databaseUrl, max: 2, applicationName: 'spec', onError: () => undefined, ...options });

let administrator: pg.Client;
let ran: string[];
beforeAll(async () => {
  administrator = new pg.Client({ connectionString: clusterUrl });
  await administrator.connect();
  await administrator.query(`create database ${databaseName}`);
  ran = (await Promise.all([migrate(databaseUrl), migrate(databaseUrl), migrate(databaseUrl)])).flat();
});
afterAll(async () => {
  await administrator.query(`drop database ${databaseName} with (force)`);
  await administrator.end();
});

describe('migrate', () => {
  it('runs each migration once, even if three processes start at once', async () => {
    expect(ran).toEqual(migrations.map(({ name }) => name));
    expect(await migrate(databaseUrl)).toEqual([]);
  });

  it('takes longer than statements of the login usually may', async () => {
    const name = `${databaseName}_slow`;
    await administrator.query(`create database ${name}`);
    await administrator.query(`alter database ${name} set statement_timeout = '1ms'`);
    try {
      expect(await migrate(clusterUrl.replace(/\/[^/]*$/, `/${name}`))).toHaveLength(migrations.length);
    } finally {
      await administrator.query(`drop database ${name} with (force)`);
    }
  });

  it('says what to do if the application role cannot be created', async () => {
    await administrator.query(`create role ${stranger} login password 'spec'`);
    await administrator.query(`create database ${stranger} owner ${stranger}`);
    const address = new URL(databaseUrl);
    [address.username, address.password, address.pathname] = [stranger, 'spec', stranger];
    try {
      await expect(migrate(address.toString())).rejects.toThrow(`grant willcall_app to ${stranger};`);

      await administrator.query(`grant willcall_app to ${stranger}`);
      expect(await migrate(address.toString())).toHaveLength(migrations.length);
    } finally {
      await administrator.query(`drop database ${stranger} with (force)`);
      await administrator.query(`drop role ${stranger}`);
    }
  });
});

describe('the event log, the feed and the ledger', () => {
  const changes = ['update events set type = type', 'delete from events', 'truncate events'].flatMap((statement) => [
    statement,
    statement.replace('events', 'feed').replaceAll('type', 'stream'),
    statement.replace('events', 'ledger').replaceAll('type', 'mac'),
  ]);
  const application = pool();
  const owner = pool({ asOwner: true });
  beforeAll(async () => {
    await application.query(`insert into events values ('s', 1, 'evt_1', 'T', '{}', '{}', now(), '');`);
    await application.query(`insert into feed values (1, 's', 1)`);
    await application.query(`insert into ledger values (1, '', 1, '', now(), '')`);
  });
  afterAll(() => Promise.all([application.end(), owner.end()]));

  it.each(changes)('refuse the application role: %s', async (statement) => {
    await expect(application.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(changes)('refuse their owner too: %s', async (statement) => {
    await expect(owner.query(statement)).rejects.toMatchObject({ code: 'WC002' });
  });
});

describe('a pool', () => {
  it('uses the application role, with a time limit', async () => {
    const withShortTimeout = pool({ statementTimeoutMs: 50, lazyCommit: true });
    const { rows } = await withShortTimeout.query(
      `select current_user as role, current_setting('synchronous_commit') as commit, 9007199254740991::bigint as big`,
    );
    expect(rows).toEqual([{ role: 'willcall_app', commit: 'off', big: 9_007_199_254_740_991 }]);
    await expect(withShortTimeout.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
    await expect(withShortTimeout.query('select 9007199254740993::bigint')).rejects.toThrow(/select it as text/);
    await withShortTimeout.end();
  });

  it('keeps its role if the address has its own options', async () => {
    const address = `${databaseUrl}?options=${encodeURIComponent('-c work_mem=3MB')}`;
    const own = createPool({ databaseUrl: address, max: 1, applicationName: 'spec', onError: () => undefined });
    const { rows } = await own.query(`select current_user as role, current_setting('work_mem') as memory`);
    await own.end();
    expect(rows).toEqual([{ role: 'willcall_app', memory: '3MB' }]);
  });

  it('keeps unused connections for as long as it is told', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const kept = createPool({
      databaseUrl,
      max: 2,
      keepIdleMs: 60_000,
      applicationName: 'spec',
      onError: () => undefined,
    });
    try {
      await Promise.all([kept.query('select 1'), kept.query('select 1')]);
      vi.advanceTimersByTime(59_999);
      expect(kept.totalCount).toBe(2);
      vi.advanceTimersByTime(1);
      expect(kept.totalCount).toBe(0);
    } finally {
      vi.useRealTimers();
      await kept.end();
    }
  });

  it('survives the loss of used and idle connections, and opens others', async () => {
    const errors: Error[] = [];
    const lossy = createPool({ databaseUrl, max: 2, applicationName: 'lossy', onError: (e) => errors.push(e) });
    const inUse = await lossy.connect();
    (await lossy.connect()).release();
    await administrator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lossy'`,
    );
    // One broken connection may report more than one error, so the test checks otherwise that both are known to be broken.
    await expect.poll(() => errors.length > 0 && lossy.idleCount === 0, { timeout: 10_000 }).toBe(true);
    inUse.release(true);
    expect((await lossy.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await lossy.end();
  });
});
