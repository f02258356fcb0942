import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '#database/migrate';
import { queueBackend } from '#delivery-kit/queue-backend';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from './support/api.js';
import { applicationUrl, ownerPool } from './support/database.js';
import { PAYMENT, Platform, type TestClient } from './support/callers.js';
import { startPingWorker } from './support/pings/ping-worker.js';
import { PlatformDouble } from './support/pings/platform-double.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import { until } from './support/until.js';

/**
 * Starts this version on the data of commit e6dfb84 (2026-11-22). The dump is a `pg_dump` of such an installation without postal
 * codes. It has six orders; the pings of the last two are pending.
 */
const DUMP = new URL('upgrade/e6dfb84.sql', import.meta.url);
const WHOLESALER: TestClient = { clientId: 'wh-old', secret: 'secret-of-the-old-wholesaler', variant: 'wholesale' };
const PINGS =
  'select order_id, sequence, status_code, state, attempts, delivered_at from pings order by order_id, sequence';

let api: TestApi;
let before: { pings: unknown[]; orders: { id: string; ref_id: string; client_id: string; status_code: number }[] };

beforeAll(async () => {
  const clusterUrl = inject('clusterUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = clusterUrl.replace(/\/[^/]*$/, `/${name}`);
  await query(clusterUrl, `create database ${name}`);
  await query(url, readFileSync(DUMP, 'utf8'));
  before = {
    pings: await query(url, PINGS),
    orders: await query(
      url,
      `select id, purchase->>'ref_id' as ref_id, client_id, status_code from orders order by id`,
    ),
  };
  await query(url, `insert into discovery_keys (client_id, name, created_at) values ('old-key', 'old', now())`);
  await migrate(url, applicationUrl(url));
  const drop = async () => void (await query(clusterUrl, `drop database ${name} with (force)`));
  api = await startTestApi({}, { url, drop });
});
afterAll(() => api.close());

describe('an installation of e6dfb84', () => {
  it('agrees with its events after the migrations', async () => {
    const pool = ownerPool(api.databaseUrl);
    const { differences, checked } = await verify(pool).finally(() => pool.end());
    expect(differences).toEqual([]);
    expect(checked).toMatchObject({ orders: 6 });
  });

  it('returns its orders with their histories to its old clients', async () => {
    expect(before.orders).toHaveLength(6);
    for (const { id, client_id, status_code } of before.orders) {
      const client = client_id === WHOLESALER.clientId ? WHOLESALER : PAYMENT;
      const answer = await new Platform(api.url, client).read(id);
      expect(answer.status, answer.text).toBe(200);
      const purchase = answer.body as { status_history: { status_code: number }[] };
      expect(purchase.status_history.at(-1)?.status_code, answer.text).toBe(status_code);
    }
  });

  it('keeps its pings, and delivers the pending ones', async () => {
    expect(await query(api.databaseUrl, PINGS)).toEqual(before.pings);
    const platform = await PlatformDouble.start();
    const errors: unknown[] = [];
    const connections = {
      pool: api.pool,
      url: platform.url,
      backend: queueBackend({ databaseUrl: applicationUrl(api.databaseUrl) }),
      onError: (error: unknown) => void errors.push(error),
    };
    // Makes the next attempt due, whatever the clock of this machine says.
    await api.pool.query(`update pings set next_try_at = 'epoch' where state = 'pending'`);
    const worker = startPingWorker(connections, { sweepEveryMs: 100 });
    const pending = async () => (await query(api.databaseUrl, `select from pings where state <> 'delivered'`)).length;
    expect(await pending()).toBeGreaterThan(0);
    await until(async () => (await pending()) === 0);
    await worker.stop();
    await platform.stop();
    expect(errors).toEqual([]);
  });

  it('keeps the right of its discovery keys to pages of 5,000, which new ones do not get', async () => {
    await api.staff.send('POST', 'discovery-keys', { name: 'new', client_id: 'new-key' });
    const status = async (key: string, perPage: number) =>
      (await fetch(`${api.url}/2/events?client_id=${key}&per_page=${perPage}`)).status;
    expect([await status('old-key', 5_000), await status('new-key', 501), await status('new-key', 500)]).toEqual([
      200, 400, 200,
    ]);
  });

  it('sells its listings', async () => {
    const left = await api.staff.available('lst-1');
    await new Platform(api.url, WHOLESALER).bought({ ...wholesaleBody(), ref_id: 'of the new version' });
    expect(await api.staff.available('lst-1')).toBe(left - 2);
  });
});

async function query<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
