import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiveStream } from '#outbound/stream/live-stream';
import { StreamTokens } from '#outbound/stream-tokens';
import { ClientRegistry } from '#accounts/clients';
import { DiscoveryKeys } from '#accounts/discovery-keys';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { ownerPool } from '../../../../test/support/database.js';
import { type Answer, call, codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { DISCOVERY_KEY } from '../../../../test/support/discovery/discovery.js';
import { holdLock, countWaiting } from '../../../../test/support/postgres/locks.js';
import { until } from '../../../../test/support/until.js';

const POOL_SIZE = 6;
const API = 'willcall api';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ DATABASE_POOL_SIZE: `${POOL_SIZE}`, DISCOVERY_CLIENT_ID: DISCOVERY_KEY });
  for (const id of ['locked', 'free']) await api.staff.putListing(id, { quantity: 1_000 });
  await api.wholesale.bought(bodyOf('free'));
});
afterAll(() => api.close());

function bodyOf(listingId: string) {
  const body = wholesaleBody();
  return { ...body, ref_id: randomUUID(), product: { ...body.product, listing_id: listingId } };
}

const isUnavailable = ({ status, headers, ...answer }: Answer) =>
  status === 503 && Number(headers.get('retry-after')) > 0 && codesOf(answer)[0] === 50300;

async function orders(): Promise<number> {
  const { rows } = await api.pool.query<{ orders: number }>('select count(*)::int as orders from orders');
  return rows[0]?.orders ?? 0;
}

const endBackends = (which = 'true') =>
  api.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like '${API}%' and ${which}`,
  );

describe('while a listing is locked', () => {
  it('its purchases get 503, other purchases succeed, and ready stays 200', async () => {
    const before = await orders();
    const release = await holdLock(api.pool, "select from listings where id = 'locked' for update");
    try {
      const refused = Array.from({ length: 4 * POOL_SIZE }, () => api.wholesale.buy(bodyOf('locked')));
      await until(async () => (await countWaiting(api.pool, API)) === POOL_SIZE / 2);
      const began = performance.now();
      await Promise.all(Array.from({ length: 10 }, () => api.wholesale.bought(bodyOf('free'))));
      expect(await countWaiting(api.pool, API)).toBe(POOL_SIZE / 2);
      expect(performance.now() - began).toBeLessThan(2_500);
      expect((await fetch(`${api.url}/health/ready`)).status).toBe(200);
      const answers = await Promise.all(refused);
      expect(answers.filter((answer) => !isUnavailable(answer))).toEqual([]);
    } finally {
      await release();
    }
    expect(await orders()).toBe(before + 10);
    await api.wholesale.bought(bodyOf('locked'));
  });
});

/** Makes the api read its callers again, as at its start. */
function forgetCallers(): void {
  for (const callers of [ClientRegistry, DiscoveryKeys, StreamTokens])
    api.app.get<{ forget(): void }>(callers).forget();
}

/** Readers of the stream that wait for its next entry. */
const longPolls = () => api.app.get(LiveStream).counts.waiting;

/** Runs `work` while nobody is connected or can connect to the database of the api. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const { rows } = await api.pool.query<{ name: string }>('select current_database() as name');
  // PostgreSQL does not let a session close its own database.
  const elsewhere = ownerPool(api.databaseUrl.replace(/[^/]*$/, 'postgres'));
  await elsewhere.query(`alter database ${rows[0]?.name} with allow_connections false`);
  try {
    await endBackends();
    await work();
  } finally {
    await elsewhere.query(`alter database ${rows[0]?.name} with allow_connections true`);
    await elsewhere.end();
  }
}

const discover = (target: string) => call(`${api.url}/2/${target}`, 'GET');
const withKey = (path: string, query = '') => discover(`${path}?client_id=${DISCOVERY_KEY}${query}`);

function readStream(path: string, token = STAFF_TOKEN): Promise<Answer> {
  return call(`${api.url}/stream/v1/pings${path}`, 'GET', undefined, { authorization: `Bearer ${token}` });
}

async function streamToken(): Promise<string> {
  const { body } = await api.staff.send('POST', 'stream-tokens', { name: 'an integration' });
  return (body as { token: string }).token;
}

describe('a database that rejects', () => {
  it('connections: checkout and back office answer 503, and nothing is written', async () => {
    const before = await orders();
    await withoutDatabase(async () => {
      const answers = await Promise.all([
        api.wholesale.buy(bodyOf('free')),
        api.wholesale.lookUp('free'),
        api.wholesale.read('ord_unknown'),
        api.staff.get('orders'),
        api.staff.send('DELETE', 'listings/free'),
        api.staff.changeStatus('ord_unknown', 2000),
      ]);
      expect(answers.map(isUnavailable)).toEqual(answers.map(() => true));
      expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
    });
    expect((await fetch(`${api.url}/health/ready`)).status).toBe(200);
    expect(await orders()).toBe(before);
  });

  it('connections: an api that does not know its callers yet answers 503', async () => {
    await withoutDatabase(async () => {
      forgetCallers();
      expect(isUnavailable(await api.wholesale.buy(bodyOf('free')))).toBe(true);
      expect(isUnavailable(await withKey('events'))).toBe(true);
      expect(isUnavailable(await readStream('', `wst_${'0'.repeat(64)}`))).toBe(true);
      expect((await readStream('', 'no token of ours')).status).toBe(401);
    });
    await until(async () => (await api.wholesale.lookUp('free')).status === 200);
  });

  it('connections: every route of discovery answers 503 in its own shape and format', async () => {
    const paths = ['events', 'events/1', 'performers', 'performers/1', 'venues', 'venues/1', 'taxonomies', 'genres'];
    const targets = [...paths, 'recommendations'];
    await withoutDatabase(async () => {
      const answers = await Promise.all(
        targets.map(async (path) => [path, await withKey(path, '&performers.id=1&geoip=false')] as const),
      );
      expect(answers.filter(([, answer]) => !isUnavailable(answer)).map(([path, { text }]) => [path, text])).toEqual(
        [],
      );
      for (const [, { body }] of answers) expect(body).toMatchObject({ status: 503, meta: { status: 503 } });
      const [xml, jsonp] = [await withKey('events', '&format=xml'), await withKey('events', '&callback=show')];
      for (const { status, headers } of [xml, jsonp]) {
        expect([status, Number(headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
      }
      expect(xml.text).toMatch(/^<\?xml.*<response>.*<code>50300<\/code>/s);
      expect(jsonp.text).toMatch(/^\/?\*?\*?\/?show\(\{.*"code":50300/);
    });
    await until(async () => (await withKey('events')).status === 200);
  });

  it('connections: every route of the stream answers 503, also to a waiting reader', async () => {
    const token = await streamToken();
    const longPoll = readStream('?wait=2', token);
    await until(() => longPolls() === 1);
    await withoutDatabase(async () => {
      const answers = await Promise.all([
        ...['', '?after=5&limit=10', '?wait=5', '/live', '/live?after=1'].map((path) => readStream(path)),
        ...['', '/live'].map((path) => readStream(path, token)),
      ]);
      expect(answers.filter((answer) => !isUnavailable(answer)).map(({ status, text }) => [status, text])).toEqual([]);
    });
    await until(async () => (await readStream('', token)).status === 200);
    expect([200, 503]).toContain((await longPoll).status);
  });

  it('writes: a purchase gets 503, a lookup 200', async () => {
    const { rows } = await api.pool.query<{ name: string }>('select current_database() as name');
    await api.pool.query(`alter database ${rows[0]?.name} set default_transaction_read_only = on`);
    try {
      await endBackends();
      expect(isUnavailable(await api.wholesale.buy(bodyOf('free')))).toBe(true);
      expect((await api.wholesale.lookUp('free')).status).toBe(200);
    } finally {
      await api.pool.query(`alter database ${rows[0]?.name} reset default_transaction_read_only`);
      await endBackends();
    }
  });

  it('after a purchase has been received: 500, because the outcome is unknown', async () => {
    const paidBody = () => ({
      ...cardBody(),
      ref_id: randomUUID(),
      product: { ...cardBody().product, listing_id: 'free' },
    });
    // The api may not have noticed yet that the test before has ended its connections.
    await until(async () => (await api.payment.buy(paidBody())).status === 201);
    const before = await orders();
    const release = await holdLock(api.pool, 'lock table sandbox_payments');
    const bought = api.payment.buy(paidBody());
    await until(async () => (await countWaiting(api.pool, API)) === 1);
    await endBackends("wait_event_type = 'Lock'");
    expect((await bought).status).toBe(500);
    await release();
    expect(await orders()).toBe(before + 1);
  });
});
