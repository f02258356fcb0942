import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { CLOSED } from '#delivery-kit/circuit-breaker';
import { PlatformRecord } from './pings/platform-record.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { LogDouble } from '../../../test/support/log-double.js';
import { addOrder, orderNo } from '../../../test/support/pings/ping-rows.js';
import { addStreamEntries } from '../../../test/support/webhooks/webhook-stand.js';
import { DeliveryHealth } from './delivery-health.js';

const MINUTE_MS = 60_000;
const [GOOD, BAD] = [`whk_${'1'.repeat(32)}`, `whk_${'2'.repeat(32)}`];

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
const clock = new FixedClock();
let health: DeliveryHealth;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined };
  pool = createPool(options);
  owner = createPool({ ...options, asOwner: true });
  health = new DeliveryHealth(pool, clock, {});
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});
beforeEach(() =>
  owner.query(
    'truncate pings, ping_attempts, ping_stream, webhooks, webhook_secrets, webhook_deliveries, webhook_attempts',
  ),
);

const ago = (ms: number) => new Date(clock.now() - ms);

/** So many attempts at pings, one second apart, the first so long ago: 10, 20, 30 … ms each. */
async function attempts(many: number, agoMs: number, error: string | null): Promise<void> {
  await pool.query(
    `insert into ping_attempts select gen_random_uuid()::text, 1, 1, $2::timestamptz + n * interval '1 s', n * 10, 200, $3
     from generate_series(1, $1) n`,
    [many, ago(agoMs), error],
  );
}

const platform = async () => (await health.read())[0];

it('is empty for an endpoint without deliveries', async () => {
  expect(await health.read()).toEqual([
    {
      endpoint: 'platform',
      kind: 'platform',
      url: 'sandbox',
      state: 'delivering',
      pending: 0,
      parked: 0,
      oldest_undelivered_at: null,
      attempts: 0,
      success_rate: null,
      p50_ms: null,
      p99_ms: null,
      last_delivered_at: null,
    },
  ]);
});

it('counts the last hour of attempts at pings, and the pending pings', async () => {
  await attempts(50, 90 * MINUTE_MS, 'answered 500');
  await attempts(25, 30 * MINUTE_MS, 'answered 500');
  await attempts(75, 20 * MINUTE_MS, null);
  await addOrder(pool, orderNo(1), 3, clock.now() - 2 * MINUTE_MS);
  await pool.query(`update pings set state = 'parked', next_try_at = null where sequence = 3`);
  expect(await platform()).toMatchObject({
    state: 'behind',
    pending: 2,
    parked: 1,
    oldest_undelivered_at: ago(2 * MINUTE_MS).toISOString(),
    attempts: 100,
    success_rate: 0.75,
    p50_ms: 250,
    p99_ms: 740,
    last_delivered_at: ago(20 * MINUTE_MS - 75_750).toISOString(),
  });
});

it('is failing if none of the last attempts succeeded', async () => {
  await attempts(5, 30 * MINUTE_MS, null);
  await attempts(9, 10 * MINUTE_MS, 'no answer');
  expect(await platform()).toMatchObject({ state: 'delivering' });
  await attempts(1, 5 * MINUTE_MS, 'no answer');
  expect(await platform()).toMatchObject({
    state: 'failing',
    last_delivered_at: ago(30 * MINUTE_MS - 5_050).toISOString(),
  });
});

it.each(['open', 'half_open'])('is open while the breaker of the platform is %s and something waits', async (state) => {
  const record = new PlatformRecord(pool, clock, new LogDouble());
  await record.save({ state: 'open', failures: 10, openings: 1, openUntil: clock.now() });
  if (state === 'half_open') expect(await record.claim(clock.now() + 20_000)).toBe(true);
  expect(await record.read()).toMatchObject({ state });
  expect(await platform()).toMatchObject({ state: 'delivering' });
  await addOrder(pool, orderNo(1), 1, clock.now());
  expect(await platform()).toMatchObject({ state: 'open' });
  await record.save(CLOSED);
  expect(await platform()).toMatchObject({ state: 'delivering' });
});

it('shows each webhook separately', async () => {
  await pool.query(
    `insert into webhooks (id, url, rate_per_second, from_position, position, created_at, updated_at, breaker, state)
     values ($1, 'https://good.example', 9, 0, 3, now(), now(), 'closed', 'active'),
       ($2, 'https://bad.example', 9, 0, 2, now() + interval '1 s', now(), 'open', 'active')`,
    [GOOD, BAD],
  );
  await addStreamEntries(
    owner,
    [1, 2, 3].map((position) => ({ position, order_id: orderNo(position), sequence: 1 })),
  );
  await owner.query('update ping_stream set occurred_at = $1', [ago(3 * MINUTE_MS)]);
  await pool.query(
    `insert into webhook_deliveries (webhook_id, position, order_id, state, next_try_at, created_at)
     select webhooks.id, ping_stream.position, order_id, case when webhooks.id = $1 then 'delivered' when ping_stream.position = 1 then 'parked' else 'pending' end,
       case when webhooks.id = $2 and ping_stream.position > 1 then now() end, $3
     from webhooks, ping_stream where ping_stream.position <= webhooks.position`,
    [GOOD, BAD, ago(2 * MINUTE_MS)],
  );
  await pool.query(
    `insert into webhook_attempts (webhook_id, position, attempt, url, started_at, duration_ms, http_status, error)
     select webhook_id, position, 1, 'u', $2, position * 100, 200, case when webhook_id = $1 then null else 'no answer' end
     from webhook_deliveries`,
    [GOOD, ago(MINUTE_MS)],
  );
  const [, good, bad] = await health.read();
  expect(good).toEqual({
    endpoint: GOOD,
    kind: 'webhook',
    url: 'https://good.example',
    state: 'delivering',
    pending: 0,
    parked: 0,
    oldest_undelivered_at: null,
    attempts: 3,
    success_rate: 1,
    p50_ms: 200,
    p99_ms: 300,
    last_delivered_at: ago(MINUTE_MS - 300).toISOString(),
  });
  expect(bad).toMatchObject({
    endpoint: BAD,
    state: 'open',
    pending: 1,
    parked: 1,
    oldest_undelivered_at: ago(3 * MINUTE_MS).toISOString(),
    success_rate: 0,
    last_delivered_at: null,
  });

  await pool.query('update webhooks set position = 3');
  for (const [set, oldest] of [
    ['next_try_at = $1', ago(4 * MINUTE_MS)],
    ['next_try_at = now(), due_since = $1', ago(5 * MINUTE_MS)],
  ] as const) {
    await pool.query(`update webhook_deliveries set ${set} where state = 'pending'`, [oldest]);
    expect((await health.read())[2]).toMatchObject({ oldest_undelivered_at: oldest.toISOString() });
  }

  await pool.query(`update webhooks set state = 'paused' where id = $1`, [GOOD]);
  await pool.query(`update webhooks set state = 'disabled' where id = $1`, [BAD]);
  expect((await health.read()).map(({ state }) => state)).toEqual(['delivering', 'paused', 'disabled']);
});
