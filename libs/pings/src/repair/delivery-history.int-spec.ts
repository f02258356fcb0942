import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandomness } from '#runtime/seeded-randomness';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { type DeliveryPoint, DeliveryHistory } from './delivery-history.js';

const NOW = '2026-06-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const [GOOD, QUIET] = [`whk_${'1'.repeat(32)}`, `whk_${'2'.repeat(32)}`];
const random = new SeededRandomness(5);

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
      };
    });
}

describe('the history of delivery', () => {
  it.each([
    ['the last day', {}, 24, 900],
    ['an hour', { from: '2026-06-01T11:00:00.000Z', to: NOW }, 1, 60],
    ['two days', { from: '2026-05-30T12:00:00.000Z', to: NOW }, 48, 3_600],
    ['a month', { from: '2026-05-02T12:00:00.000Z' }, 720, 21_600 * 4],
  ])('of %s is what counting the attempts gives', async (_, period, hours, step) => {
    const to = Date.parse(NOW);
    const expected = (endpoint: string) => ({
      endpoint,
      points: counted(endpoint, to - hours * HOUR_MS, to, step * 1_000),
    });
    expect(await history.read(period)).toEqual({
      step_seconds: step,
      endpoints: ['platform', GOOD, QUIET].map(expected),
    });
  });

  it('is not read of a longer time, or of one that ends before it begins', async () => {
    expect(await history.read({ from: '2026-04-30T00:00:00.000Z', to: NOW })).toBeUndefined();
    expect(await history.read({ from: NOW, to: NOW })).toBeUndefined();
  });
});
