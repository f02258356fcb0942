import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { type DeliveryPoint, DeliveryHistory } from './delivery-history.js';
import { DeliveryMinutes } from '../delivery-minutes.js';

const NOW = '2026-06-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const [GOOD, QUIET] = [`whk_${'1'.repeat(32)}`, `whk_${'2'.repeat(32)}`];
const random = new SeededRandomness(5);

const UNKNOWN = { pending: null, parked: null, oldest_s: null };
const SETTINGS = { PING_TIMEOUT_MS: 15_000, DELIVERY_HISTORY_DAYS: 90 };

type Attempt = Readonly<{ endpoint: string; at: number; ms: number; error: string | null }>;

/** Over two days; some begin exactly where a step does. */
const attempts = Array.from({ length: 2_000 }, (_, index): Attempt => {
  const at = Date.parse(NOW) - random.integer(48 * 60) * 60_000;
  return {
    endpoint: index % 2 === 0 ? 'platform' : GOOD,
    at: random.fraction() < 0.5 ? at : at - random.integer(59_999),
    ms: random.integer(900),
    error: random.fraction() < 0.2 ? 'HTTP 500' : null,
  };
});

let database: TestDatabase;
let pool: Pool;
let history: DeliveryHistory;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
  history = new DeliveryHistory(pool, new FixedClock(NOW));
  for (const id of [GOOD, QUIET]) {
    await pool.query(
      `insert into webhooks (id, url, rate_per_second, from_position, position, created_at, updated_at, state)
       values ($1, 'https://one.example', 9, 0, 0, now(), now(), 'active')`,
      [id],
    );
  }
  await pool.query(
    `with given as (select *, to_timestamp(at / 1000.0) as started_at, row_number() over () as n from
       json_to_recordset($1) as a(endpoint text, at bigint, ms int, error text)),
     pinged as (insert into ping_attempts (order_id, sequence, attempt, started_at, duration_ms, error)
       select 'ord_' || n, 1, 1, started_at, ms, error from given where endpoint = 'platform')
     insert into webhook_attempts (webhook_id, position, attempt, url, started_at, duration_ms, error)
       select endpoint, n, 1, 'x', started_at, ms, error from given where endpoint <> 'platform'`,
    [JSON.stringify(attempts)],
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Counts one attempt after the other. */
function counted(endpoint: string, from: number, to: number, stepMs: number): DeliveryPoint[] {
  const steps = new Map<number, Attempt[]>();
  for (const attempt of attempts) {
    if (attempt.endpoint !== endpoint || attempt.at < from || attempt.at >= to) continue;
    const step = Math.floor(attempt.at / stepMs) * stepMs;
    steps.set(step, [...(steps.get(step) ?? []), attempt]);
  }
  return [...steps]
    .sort(([a], [b]) => a - b)
    .map(([at, all]) => {
      const durations = all.map(({ ms }) => ms).sort((a, b) => a - b);
      const share = (part: number) => durations[Math.ceil(part * durations.length) - 1] ?? 0;
      return {
        at: new Date(at).toISOString(),
        attempts: all.length,
        delivered: all.filter(({ error }) => error === null).length,
        p50_ms: share(0.5),
        p99_ms: share(0.99),
        ...UNKNOWN,
      };
    });
}

const PERIODS = [
  ['the last day', {}, 24, 900],
  ['an hour', { from: '2026-06-01T11:00:00.000Z', to: NOW }, 1, 60],
  ['two days', { from: '2026-05-30T12:00:00.000Z', to: NOW }, 48, 3_600],
  ['a month', { from: '2026-05-02T12:00:00.000Z' }, 720, 86_400],
] as const;

/** Durations are estimated: the same if they are at most a quarter off. */
function rounded(read: readonly DeliveryPoint[], exact: readonly DeliveryPoint[]): DeliveryPoint[] {
  const close = (value: number | null, known: number | null | undefined) =>
    value !== null && typeof known === 'number' && Math.abs(value - known) <= known / 4 ? known : value;
  return read.map((point, index) => ({
    ...point,
    p50_ms: close(point.p50_ms, exact[index]?.p50_ms),
    p99_ms: close(point.p99_ms, exact[index]?.p99_ms),
  }));
}

async function expectCounted(): Promise<void> {
  for (const [, period, hours, step] of PERIODS) {
    const to = Date.parse(NOW);
    const report = await history.read(period);
    expect(report?.step_seconds).toBe(step);
    expect(report?.endpoints.map(({ endpoint }) => endpoint)).toEqual(['platform', GOOD, QUIET]);
    for (const { endpoint, points } of report?.endpoints ?? []) {
      const exact = counted(endpoint, to - hours * HOUR_MS, to, step * 1_000);
      // Of the last minute, before anything is sent, the backlog alone is known.
      const sent = points.filter(({ attempts: all }) => all > 0).map((point) => ({ ...point, ...UNKNOWN }));
      expect(rounded(sent, exact)).toEqual(exact);
    }
  }
}

const minutes = (now = NOW) => new DeliveryMinutes(pool, new FixedClock(now), SETTINGS);

const PING = `
  insert into pings (order_id, sequence, position, client_id, transaction_id, status, status_message, status_code, occurred_at, state, tries,
    attempts, next_try_at, due_since)
  values ($1, 1, 1, 'cli', 'txn', 'confirmed', 'Confirmed', 2000, $3, $2, 0, 0, case $2 when 'pending' then $3::timestamptz end, $3)`;

const DAYS = `select array_agg(distinct (minute at time zone 'UTC')::date::text) as days from delivery_minutes`;

describe('the history of delivery', () => {
  it('is what counting the attempts gives, before a worker has counted them', expectCounted);

  it('is the same when the minutes are counted, by two workers at once and over again', async () => {
    await Promise.all([minutes().run(), minutes().run()]);
    await minutes().run();
    await expectCounted();
    const { rows } = await pool.query<{ sum: number }>('select sum(attempts)::int from delivery_minutes');
    const open = attempts.filter(({ at }) => at >= Date.parse(NOW) - 60_000).length;
    expect(rows[0]?.sum).toBe(attempts.length - open);
  });

  it('no longer reads the attempts of counted minutes', async () => {
    await pool.query('create table kept as table ping_attempts');
    await pool.query('delete from ping_attempts where started_at < $1', [new Date(Date.parse(NOW) - 60_000)]);
    await expectCounted();
    await pool.query('truncate ping_attempts; insert into ping_attempts select * from kept; drop table kept');
  });

  it('can be counted again from the attempts', async () => {
    await pool.query('truncate delivery_minutes');
    await minutes().run();
    await expectCounted();
  });

  it('tells the most that waited in each step, and for how long', async () => {
    const due = (order: string, state: string, waitedS: number) =>
      pool.query(PING, [order, state, new Date(Date.parse(NOW) - waitedS * 1_000)]);
    await due('ord_a', 'pending', 90);
    await due('ord_b', 'pending', 30);
    await due('ord_c', 'parked', 900);
    await minutes('2026-06-01T12:01:00.000Z').run();
    await pool.query(`delete from pings where order_id = 'ord_b'`);
    await minutes('2026-06-01T12:02:00.000Z').run();
    const later = new DeliveryHistory(pool, new FixedClock('2026-06-01T12:02:00.000Z'));
    const points = (await later.read({ from: '2026-06-01T11:30:00.000Z' }))?.endpoints[0]?.points.slice(-1);
    expect(points).toMatchObject([{ at: '2026-06-01T12:01:00.000Z', pending: 2, parked: 1, oldest_s: 150 }]);
    const day = (await later.read({ to: '2026-06-01T12:10:00.000Z' }))?.endpoints[0]?.points.at(-1);
    expect(day).toMatchObject({ at: '2026-06-01T12:00:00.000Z', pending: 2, parked: 1, oldest_s: 210 });
  });

  it('is forgotten after the days of the setting', async () => {
    const known = async () => {
      const { rows } = await pool.query<{ days: string[] }>(DAYS);
      return rows[0]?.days;
    };
    expect(await known()).toEqual(['2026-05-30', '2026-05-31', '2026-06-01']);
    const now = '2026-06-02T00:00:00.000Z';
    await new DeliveryMinutes(pool, new FixedClock(now), { ...SETTINGS, DELIVERY_HISTORY_DAYS: 1 }).run();
    expect(await known()).toEqual(['2026-06-01', '2026-06-02']);
  });

  it('is not read of a longer time, or of one that ends before it begins', async () => {
    expect(await history.read({ from: '2026-02-27T00:00:00.000Z', to: NOW })).toBeUndefined();
    expect(await history.read({ from: NOW, to: NOW })).toBeUndefined();
  });
});
