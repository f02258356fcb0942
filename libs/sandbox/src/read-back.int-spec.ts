import { context, trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { JobQueue, type NewJob } from '#delivery-kit/job-queue';
import { JobWorker } from '#delivery-kit/queues/job-worker';
import { queueBackend } from '#delivery-kit/queue-backend';
import { PlatformClient } from '#accounts/platform-client';
import { RequestVerifier } from '#accounts/verify-request';
import { SystemClock } from '#base/clock';
import { traced } from '#base/tracing';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock, ScriptedRandomness } from '../../../test/support/fixed-clock.js';
import { redisAvailable, startRedis, type TestRedis } from '../../../test/support/redis.js';
import { until } from '../../../test/support/until.js';
import { PurchaseReader } from './purchase-reader.js';
import { ReadBack, readJob } from './read-back.js';
import type { ReadJob } from './read-queue.js';
import { ReceivedPings } from './received-pings.js';

type Answer = Readonly<{ status: number; body?: unknown; headers?: Record<string, string> }>;

const CONFIRMED = { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 };
const SHIPPED = { status: 'confirmed', status_message: 'Tickets shipped (hard tickets)', status_code: 2002 };
const at = (created_at: string, status: object) => ({ ...status, created_at });
const PURCHASE = {
  id: 'ord_1',
  status: SHIPPED,
  product: { event_id: 'e', listing_id: 'l', quantity: 2 },
  delivery_method: { type: 'ship', data: { first_name: 'Ada', address1: '12 Analytical Way' } },
  fulfillment: { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' } },
  market_specific_fields: { campaign: 'spring' },
  status_history: [at('2026-11-21T12:00:00.000Z', CONFIRMED), at('2026-11-21T12:05:00.000Z', SHIPPED)],
};

const UNKNOWN = { errors: [{ code: 40040, message: 'Invalid purchase id: PRIVATE' }] };

const client = new PlatformClient('platform-1', 'payment', [Buffer.from('a-secret-of-sixteen')]);
const clients = { find: async (id: string) => (id === client.clientId ? client : undefined) };

let database: TestDatabase;
let pool: Pool;
let checkout: Server;
let reader: PurchaseReader;
let answers: Answer[];
let traces: unknown[];
let asked: { path: string; signedBy: string | undefined; transactionId: unknown }[];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined });
  const verifier = new RequestVerifier(
    { findCached: clients.find, refresh: async () => false },
    { CHECKOUT_SCHEME: 'XX' },
  );
  checkout = createServer((request, response) => {
    const { method = '', url: rawUrl = '', rawHeaders, headers } = request;
    void verifier.verify({ method, rawUrl, rawHeaders, body: new Uint8Array(0) }).then((signer) => {
      traces.push(String(headers['traceparent']).split('-')[1]);
      asked.push({ path: rawUrl, signedBy: signer?.clientId, transactionId: headers['x-xx-transaction-id'] });
      const { status, body = {}, headers: more = {} } = answers.shift() ?? { status: 200, body: PURCHASE };
      response.writeHead(status, more).end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await once(checkout, 'listening');
  const PUBLIC_URL = `http://127.0.0.1:${(checkout.address() as AddressInfo).port}`;
  reader = new PurchaseReader({ PUBLIC_URL, CHECKOUT_SCHEME: 'XX' }, clients, new FixedClock());
});
afterAll(async () => {
  checkout.close();
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('delete from sandbox_pings');
  [answers, asked, traces] = [[], [], []];
});

const PING = { orderId: 'ord_1', refId: null, transactionId: 'txn-1', clientId: 'platform-1' };

describe('a read', () => {
  let clock: FixedClock;
  let pings: ReceivedPings;
  let added: NewJob<ReadJob>[];
  let readBack: ReadBack;
  beforeEach(() => {
    clock = new FixedClock();
    pings = new ReceivedPings(pool, clock);
    added = [];
    const queue = { add: async (jobs: readonly NewJob<ReadJob>[]) => void added.push(...jobs) };
    readBack = new ReadBack(pings, reader, queue as JobQueue<ReadJob>, clock, new ScriptedRandomness(0));
  });

  async function readAll(pingId: number): Promise<void> {
    let job: ReadJob | undefined = { pingId, read: 1 };
    while (job) {
      await readBack.process(job);
      job = added.at(-1)?.data.read === job.read + 1 ? added.at(-1)?.data : undefined;
    }
  }

  const state = async () => (await pings.list({ limit: 1 }))[0];

  it('is signed as the client of the ping, with its transaction id, and stores no personal data', async () => {
    await readAll(await pings.record(PING));
    expect(asked).toEqual([{ path: '/checkout/v1/purchases/ord_1', signedBy: 'platform-1', transactionId: 'txn-1' }]);
    const { state: is, reads, purchase, shows_announced: shows } = (await state()) ?? {};
    expect({ is, reads, shows }).toEqual({ is: 'read', reads: 1, shows: true });
    expect(purchase).toEqual({
      id: 'ord_1',
      status: SHIPPED,
      product: PURCHASE.product,
      delivery_method: { type: 'ship' },
      fulfillment: { type: 'ship' },
      status_history: PURCHASE.status_history,
    });
  });

  it('is in the trace of the ping, whichever process reads', async () => {
    new NodeTracerProvider().register();
    try {
      const [id, traceId] = await traced({ name: 'POST' }, async (span) => {
        return [await pings.record(PING), span?.spanContext().traceId] as const;
      });
      await readAll(id);
      expect(traces).toEqual([traceId]);
    } finally {
      trace.disable();
      context.disable();
    }
  });

  it('records a purchase that does not show the announced status yet', async () => {
    for (const transactionId of ['txn-1', 'txn-2']) await pings.record({ ...PING, transactionId });
    await readAll(await pings.record({ ...PING, transactionId: 'txn-3' }));
    expect(await state()).toMatchObject({ state: 'read', announcement: 3, shows_announced: false });
  });

  it('retries after growing waits, and stops after the eighth read', async () => {
    answers = Array.from({ length: 9 }, () => ({ status: 503 }));
    await readAll(await pings.record(PING));
    expect(added.map(({ delayMs }) => delayMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
    expect(asked).toHaveLength(8);
    expect(await state()).toMatchObject({
      state: 'given_up',
      reads: 8,
      read_error: 'the answer was 503 Service Unavailable',
      next_read_at: null,
    });
  });

  it('waits as long as requested', async () => {
    answers = [{ status: 429, headers: { 'retry-after': '20' } }];
    await readBack.process({ pingId: await pings.record(PING), read: 1 });
    expect(added.map(({ delayMs }) => delayMs)).toEqual([20_000]);
    expect(await state()).toMatchObject({ state: 'waiting', next_read_at: '2026-11-21T12:00:20.000Z' });
  });

  it.each<[string, Answer, string]>([
    ['a refusal', { status: 404 }, 'the answer was 404 Not Found'],
    ['an Error body', { status: 400, body: UNKNOWN }, 'the answer was 400 Bad Request (40040)'],
    ['another purchase', { status: 200, body: { ...PURCHASE, id: 'ord_2' } }, 'the answer is another purchase'],
    ['something else', { status: 200, body: { status: 'PRIVATE' } }, 'the answer is no Purchase: id: '],
  ])('stops at once after %s, and does not quote it', async (_what, answer, error) => {
    answers = [answer];
    await readAll(await pings.record(PING));
    const given = await state();
    expect(given).toMatchObject({ state: 'given_up', reads: 1, read_error: expect.stringContaining(error) as string });
    expect(given?.read_error).not.toContain('PRIVATE');
  });

  it('needs a secret of the client', async () => {
    await readAll(await pings.record({ ...PING, clientId: 'revoked' }));
    expect(await state()).toMatchObject({
      state: 'given_up',
      read_error: expect.stringContaining('no live secret') as string,
    });
    expect(asked).toEqual([]);
  });

  it('runs once, however often its job runs', async () => {
    const pingId = await pings.record(PING);
    await readBack.process({ pingId, read: 2 });
    await readBack.process({ pingId: 987_654, read: 1 });
    expect(asked).toEqual([]);
    for (const read of [1, 1]) await readBack.process({ pingId, read });
    expect(asked).toHaveLength(1);
  });

  it('whose job was lost is found by the sweep', async () => {
    const pingId = await pings.record(PING);
    await readBack.sweep();
    expect(added).toEqual([]);
    clock.advance(15_000);
    await readBack.sweep();
    expect(added).toEqual([readJob({ pingId, read: 1 })]);
  });
});

describe.each([
  { backend: 'Postgres', needsRedis: false },
  { backend: 'Redis', needsRedis: true },
])('through BullMQ on $backend', ({ needsRedis }) => {
  let redis: TestRedis | undefined;
  let stop: () => Promise<void>;
  afterEach(async () => {
    await stop();
    await redis?.stop();
  });

  it.skipIf(needsRedis && !redisAvailable)('a read that failed is tried again later', async () => {
    redis = needsRedis ? await startRedis() : undefined;
    const backend = queueBackend({ redisUrl: redis?.url, databaseUrl: database.url });
    const errors: unknown[] = [];
    const report = (error: unknown) => void errors.push(error);
    const queue = new JobQueue<ReadJob>('sandbox-reads', backend, report);
    const clock = new SystemClock();
    const pings = new ReceivedPings(pool, clock);
    const readBack = new ReadBack(pings, reader, queue, clock, new ScriptedRandomness(0));
    const process = (job: ReadJob) => readBack.process(job);
    const worker = new JobWorker<ReadJob>(backend, { name: 'sandbox-reads', process, concurrency: 2, onError: report });
    stop = async () => {
      await worker.stop(1_000);
      await queue.close();
    };
    worker.start();

    answers = [{ status: 502 }];
    const began = clock.now();
    const pingId = await pings.record(PING);
    await queue.add([readJob({ pingId, read: 1 })]);
    const read = await until(async () => (await pings.list({ limit: 1 })).find(({ state }) => state === 'read'));
    expect(read).toMatchObject({ id: pingId, reads: 2, shows_announced: true, read_error: null });
    expect(clock.now() - began).toBeGreaterThanOrEqual(1_000);
    expect(asked).toHaveLength(2);
    expect(errors).toEqual([]);
  });
});
