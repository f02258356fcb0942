import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { applicationUrl, createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { migrate, migrationOptions } from './migrate.js';
import { migrations } from './migrations.js';
import { dropPartitions, makePartitions } from './partitions.js';
import { createPool } from './pool.js';

const MONTH_MS = 31 * 86_400_000;
const EVENT = `insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
  values ($1, 1, $1, 'T', '{}', '{}', now(), '')`;

/** As ids are made: the first twelve digits are the milliseconds. */
const orderId = (time: number) => `ord_${time.toString(16).padStart(12, '0')}8000${randomBytes(8).toString('hex')}`;
const connect = (databaseUrl: string) =>
  createPool({ databaseUrl, max: 4, applicationName: 'spec', onError: () => undefined });
const partitionsOf = async (pool: Pool, table: string) => {
  const text = `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`;
  return (await pool.query<{ name: string }>(text, [table])).rows.map(({ name }) => name);
};
const inParts = async (pool: Pool, table: string) => {
  const text = `select tableoid::regclass::text as name, count(*)::int as count from ${table} group by 1 order by 1`;
  return (await pool.query<{ name: string; count: number }>(text)).rows.map(({ name, count }) => `${name}: ${count}`);
};

describe('the tables of an earlier release', () => {
  it('become partitions in place, while orders are stored', async () => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    const url = inject('clusterUrl').replace(/\/[^/]*$/, `/${name}`);
    const administrator = ownerPool(inject('clusterUrl'));
    await administrator.query(`create database ${name}`);
    const pool = connect(url);
    try {
      const earlier = migrations.slice(
        0,
        migrations.findIndex(({ name: one }) => one.startsWith('Partitions')),
      );
      const source = await new DataSource({ ...migrationOptions(url), migrations: earlier } as never).initialize();
      await source.runMigrations({ transaction: 'each' });
      await source.destroy();

      const [failed, running]: [unknown[], { now: boolean }] = [[], { now: true }];
      let stored = 0;
      const store = async () => {
        while (running.now) {
          // Prepared, as the store's statements are.
          await pool.query({ name: 'event', text: EVENT, values: [`order-${orderId(Date.now())}`] }).then(
            () => (stored += 1),
            (error: unknown) => failed.push(error),
          );
        }
      };
      const storing = [store(), store()];
      await until(() => stored > 100);
      await migrate(url);
      const soFar = stored;
      await until(() => stored > soFar + 100);
      running.now = false;
      await Promise.all(storing);

      expect(failed).toEqual([]);
      expect(await inParts(pool, 'events')).toEqual([`events_before: ${stored}`]);
      for (const table of ['feed', 'ping_stream', 'ping_attempts', 'webhook_deliveries', 'webhook_attempts'])
        expect(await partitionsOf(pool, table)).toContain(`${table}_before`);
    } finally {
      await pool.end();
      await administrator.query(`drop database ${name} with (force)`);
      await administrator.end();
    }
  });
});

describe('partitions', () => {
  let database: TestDatabase;
  let owner: Pool;
  let application: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    owner = ownerPool(database.url);
    application = connect(applicationUrl(database.url));
  });
  afterAll(async () => {
    await Promise.all([owner.end(), application.end()]);
    await database.drop();
  });

  it('are there before their time, and what came without one moves there', async () => {
    const parts = await partitionsOf(owner, 'events');
    const last = parts.filter((name) => /\d/.test(name)).at(-1);
    const stream = `order-${orderId(Date.now() + 2 * MONTH_MS)}`;
    await owner.query(`alter table events detach partition ${last}; drop table ${last}`);
    // Not in the last month's partition, because that is gone; and the month may be over already when this test runs.
    const stray = `order-${orderId(Date.now() + MONTH_MS)}`;
    await application.query(EVENT, [stray]);
    await application.query(EVENT, [stream]);
    expect(await makePartitions(application)).toContain(last);
    expect(await partitionsOf(owner, 'events')).toEqual(parts);
    const of = `select tableoid::regclass::text as name from events where stream = $1`;
    expect((await owner.query(of, [stray])).rows).not.toEqual([{ name: 'events_default' }]);
    await expect(owner.query('delete from events where stream = $1', [stray])).rejects.toMatchObject({ code: 'WC002' });
  });

  it('of the feed are made ahead of its end', async () => {
    await owner.query(`insert into feed values (9999999, 'order-far', 1)`);
    await makePartitions(application);
    expect(await partitionsOf(owner, 'feed')).toEqual(['feed_before', 'feed_from_10000000']);
    expect(await makePartitions(application)).toEqual([]);
  });

  it('are dropped once all in them is too old, except for what must be kept', async () => {
    const [month] = (await partitionsOf(owner, 'ping_attempts')).filter((name) => /\d/.test(name));
    const inMonth = Date.now() + MONTH_MS;
    const [kept, gone] = [orderId(inMonth), orderId(inMonth)];
    for (const id of [kept, gone])
      await application.query(`insert into ping_attempts values ($1, 1, 1, to_timestamp($2), 7, 200)`, [
        id,
        inMonth / 1_000,
      ]);
    await owner.query(
      `insert into pings (order_id, sequence, position, client_id, status, status_code, status_message, occurred_at, transaction_id,
        due_since, next_try_at) values ($1, 1, 1, 'c', 's', 100, 'm', now(), 't', now(), now())`,
      [kept],
    );
    await dropPartitions(application, 'ping_attempts', new Date(inMonth - 2 * MONTH_MS));
    expect(await partitionsOf(owner, 'ping_attempts')).toContain(month);

    await dropPartitions(application, 'ping_attempts', new Date(inMonth + 3 * MONTH_MS));
    expect(await partitionsOf(owner, 'ping_attempts')).toEqual(['ping_attempts_default']);
    const { rows } = await application.query('select order_id from ping_attempts');
    expect(rows).toEqual([{ order_id: kept }]);
    expect((await owner.query(`select from pg_class where relname like 'expired_%'`)).rowCount).toBe(0);
    await application.query(`insert into ping_attempts values ($1, 2, 1, now(), 7, 200)`, [kept]);
  });

  it('of events are not dropped by the application', async () => {
    const dropped = dropPartitions(application, 'events' as never, new Date());
    await expect(dropped).rejects.toThrow('events is kept');
    await expect(application.query('drop table events_before')).rejects.toMatchObject({ code: '42501' });
    await expect(application.query('delete from events_before')).rejects.toMatchObject({ code: '42501' });
  });
});
