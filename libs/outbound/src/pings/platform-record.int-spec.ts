import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { type CircuitBreaker, CLOSED } from '#delivery-kit/circuit-breaker';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { LogDouble } from '../../../../test/support/log-double.js';
import { PlatformRecord } from './platform-record.js';

let database: TestDatabase;
let pool: Pool;
let clock: FixedClock;
let log: LogDouble;
let record: PlatformRecord;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, max: 8, lazyCommit: true, byIndex: true });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  clock = new FixedClock();
  await new PlatformRecord(pool, clock, new LogDouble()).save(CLOSED);
  log = new LogDouble();
  record = new PlatformRecord(pool, clock, log);
});

const open = (openings = 1): CircuitBreaker => ({
  state: 'open',
  failures: 10,
  openings,
  openUntil: clock.now() + 1_000,
});

describe('the shared state of the platform', () => {
  it('is closed at first, and is read as it was saved', async () => {
    expect(await record.read()).toEqual(CLOSED);
    await record.save(open(3));
    expect(await record.read()).toMatchObject(open(3));
    await record.save(CLOSED);
    expect(await record.read()).toBe(CLOSED);
  });

  it('gets one notice when it opens and one when it closes, however many workers see it', async () => {
    await Promise.all([1, 2, 3].map((openings) => record.save(open(openings))));
    expect(await record.claim(clock.now())).toBe(false);
    await record.save(open(4));
    await Promise.all([record.save(CLOSED), record.save(CLOSED)]);
    const kinds = log.lines.map(({ fields }) => fields['kind']);
    expect(kinds).toEqual(['platform.breaker_opened', 'platform.breaker_closed']);
    const { rows } = await pool.query('select kind, subject, message, created_at from operational_notices order by id');
    expect(rows.slice(-2)).toEqual([
      {
        kind: 'platform.breaker_opened',
        subject: 'platform',
        message: 'pings of 10 orders in a row failed: the platform is probed from time to time, and no ping is lost',
        created_at: new Date(clock.now()),
      },
      {
        kind: 'platform.breaker_closed',
        subject: 'platform',
        message: 'the platform responds again: all held-back pings are being sent',
        created_at: new Date(clock.now()),
      },
    ]);
  });

  it('lets one of many workers probe when that is due, and another one if the first is late', async () => {
    const claims = () => Promise.all(Array.from({ length: 8 }, () => record.claim(clock.now() + 20_000)));
    expect(await claims()).not.toContain(true);
    await record.save(open());
    clock.advance(999);
    expect(await claims()).not.toContain(true);
    clock.advance(1);
    expect((await claims()).filter(Boolean)).toHaveLength(1);
    expect(await record.read()).toMatchObject({ state: 'half_open', openings: 1, openUntil: clock.now() + 20_000 });
    clock.advance(19_999);
    expect(await claims()).not.toContain(true);
    clock.advance(1);
    expect((await claims()).filter(Boolean)).toHaveLength(1);
  });

  it('allows a probe if a wrong clock has left a break that is longer than possible', async () => {
    await record.save({ ...open(), openUntil: clock.now() + 3_600_000 });
    expect(await record.claim(clock.now() + 20_000)).toBe(true);
  });

  it('starts its rate anew if a wrong clock has reserved an hour', async () => {
    await pool.query('update ping_endpoints set paced_until_ms = $1', [clock.now() + 3_600_000]);
    expect(await record.reserve(5)).toBe(clock.now());
    expect(await record.reserve(5)).toBe(clock.now() + 5);
    await pool.query('update ping_endpoints set paced_until_ms = 0');
  });

  it('never gives two workers the same slot', async () => {
    const from = await Promise.all(Array.from({ length: 50 }, () => record.reserve(2.5)));
    expect(from.toSorted((a, b) => a - b)).toEqual(from.map((_, index) => clock.now() + index * 2.5));
    clock.advance(60_000);
    expect(await record.reserve(1)).toBe(clock.now());
  });
});
