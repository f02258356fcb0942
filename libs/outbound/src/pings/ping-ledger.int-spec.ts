import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { addOrder, addPings, orderNo } from '../../../../test/support/pings/ping-rows.js';
import { type Lease, type PingAttempt, PingLedger } from './ping-ledger.js';
import { PingQueries } from '../ping-queries.js';

const LEASE_MS = 20_000;
const ORDER = orderNo(1);
const DUE_SINCE = new FixedClock().now() - 10;

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let clock: FixedClock;
let ledger: PingLedger;
let other: PingLedger;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, max: 5, lazyCommit: true, byIndex: true });
  owner = createPool({ ...options, max: 1, asOwner: true });
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});
beforeEach(async () => {
  await pool.query('update pings set state = $1, next_try_at = null', ['delivered']);
  await pool.query('delete from ping_leases');
  clock = new FixedClock();
  ledger = new PingLedger(pool, clock, new SystemRandomness(), { leaseMs: LEASE_MS });
  other = new PingLedger(pool, clock, new SystemRandomness(), { leaseMs: LEASE_MS });
});

let used = 0;
/** A new order with due pings. */
async function order(pings: number): Promise<string> {
  used += 1;
  const orderId = orderNo(0x1000 + used);
  await addOrder(pool, orderId, pings, DUE_SINCE);
  return orderId;
}

function attempt(sequence: number, rest: Partial<PingAttempt> = {}): PingAttempt {
  const made = {
    sequence,
    dueSince: DUE_SINCE + sequence - 1,
    startedAt: clock.now(),
    durationMs: 12,
    httpStatus: 200,
    error: null,
    answer: null,
  };
  return { ...made, state: 'delivered', nextTryAt: null, ...rest };
}

async function taken(orderId: string, by = ledger): Promise<Lease> {
  const lease = await by.take(orderId);
  if (!lease) throw new Error('the lease is taken');
  return lease;
}

async function stateOf(orderId: string) {
  const { rows } = await pool.query(
    `select sequence, state, tries, attempts, next_try_at,
       (select count(*)::int from ping_attempts a where a.order_id = p.order_id and a.sequence = p.sequence) as kept
     from pings p where order_id = $1 order by sequence`,
    [orderId],
  );
  return rows as object[];
}

describe('a lease', () => {
  it('is given to one of two workers, and to the other one after its release', async () => {
    const [mine, theirs] = await Promise.all([ledger.take(ORDER), other.take(ORDER)]);
    expect([mine, theirs].filter(Boolean)).toHaveLength(1);
    await (mine ? ledger : other).release(mine ?? (theirs as Lease));
    expect(await other.take(ORDER)).toBeDefined();
  });

  it('is given to one of many concurrent calls in one worker', async () => {
    const leases = await Promise.all(Array.from({ length: 20 }, () => ledger.take(ORDER)));
    expect(leases.filter(Boolean)).toHaveLength(1);
  });

  it('is free again after it expires, with another fence', async () => {
    const first = await taken(ORDER);
    clock.advance(LEASE_MS - 1);
    expect(await other.take(ORDER)).toBeUndefined();
    clock.advance(1);
    const second = await taken(ORDER, other);
    expect(second.fence).not.toBe(first.fence);
    await ledger.release(first);
    expect(await ledger.take(ORDER)).toBeUndefined();
  });

  it('that ends later than any lease can, because of a wrong clock, has expired', async () => {
    const wrong = new FixedClock();
    wrong.advance(3_600_000);
    const stale = await taken(ORDER, new PingLedger(pool, wrong, new SystemRandomness(), { leaseMs: LEASE_MS }));
    const mine = await taken(ORDER);
    expect(mine.fence).not.toBe(stale.fence);
    expect(await other.take(ORDER)).toBeUndefined();
  });

  it('covers only its own order', async () => {
    const leases = await Promise.all([1, 2, 3].map((number) => ledger.take(orderNo(number))));
    expect(leases.every(Boolean)).toBe(true);
  });
});

describe('the first pending ping', () => {
  it('is the undelivered one with the lowest sequence', async () => {
    const orderId = await order(3);
    expect(await ledger.head(orderId)).toMatchObject({ sequence: 1, clientId: 'cli_1', refId: `ref of ${orderId}` });
    await ledger.record(await taken(orderId), attempt(1));
    expect(await ledger.head(orderId)).toMatchObject({ sequence: 2, tries: 0, nextTryAt: clock.now() - 9 });
  });

  it('is undefined when all are finished, and each of many orders has its own', async () => {
    const [one, two] = [await order(1), await order(2)];
    const heads = await Promise.all([two, ORDER, one, two].map((orderId) => ledger.head(orderId)));
    expect(heads.map((head) => head?.orderId)).toEqual([two, undefined, one, two]);
  });
});

describe('a record', () => {
  it('of a delivery returns the next due ping and extends the lease', async () => {
    const orderId = await order(2);
    const lease = await taken(orderId);
    clock.advance(LEASE_MS - 1);
    expect(await ledger.record(lease, attempt(1))).toMatchObject({ written: true, next: { sequence: 2 } });
    clock.advance(LEASE_MS - 1);
    expect(await other.take(orderId)).toBeUndefined();
    expect(await ledger.record(lease, attempt(2))).toEqual({ written: true, next: undefined });
    expect(await stateOf(orderId)).toMatchObject([
      { state: 'delivered', tries: 1, attempts: 1, kept: 1, next_try_at: null },
      { state: 'delivered', tries: 1, attempts: 1, kept: 1, next_try_at: null },
    ]);
  });

  it('of the last due ping releases the lease', async () => {
    const orderId = await order(1);
    await ledger.record(await taken(orderId), attempt(1));
    expect(await other.take(orderId)).toBeDefined();
  });

  it('of a failure releases the lease and blocks the pings after it', async () => {
    const orderId = await order(2);
    const nextTryAt = clock.now() + 5_000;
    const error = 'the platform answered 500';
    const failure = attempt(1, { state: 'pending', nextTryAt, httpStatus: 500, error, answer: '{"sold": out}' });
    expect(await ledger.record(await taken(orderId), failure)).toEqual({ written: true, next: undefined });
    expect(await other.take(orderId)).toBeDefined();
    expect(await other.head(orderId)).toMatchObject({ sequence: 1, tries: 1, nextTryAt });
    const { rows } = await pool.query('select error, answer from ping_attempts where order_id = $1', [orderId]);
    expect(rows).toEqual([{ error, answer: '{"sold": out}' }]);
  });

  it('of the last try parks the ping and continues', async () => {
    const orderId = await order(2);
    const parked = attempt(1, { state: 'parked', httpStatus: null, error: 'no answer within 15000 ms' });
    expect(await ledger.record(await taken(orderId), parked)).toMatchObject({ next: { sequence: 2 } });
    expect(await stateOf(orderId)).toMatchObject([{ state: 'parked', next_try_at: null }, { state: 'pending' }]);
  });

  it('does not continue with a ping that is not due yet', async () => {
    const orderId = await order(1);
    await addPings(pool, [{ orderId, sequence: 2, dueAt: clock.now() + 1 }]);
    expect(await ledger.record(await taken(orderId), attempt(1))).toEqual({ written: true, next: undefined });
    expect(await ledger.take(orderId)).toBeDefined();
  });

  it('numbers the attempts and stores each of them', async () => {
    const orderId = await order(1);
    for (const tries of [1, 2, 3]) {
      const failure = attempt(1, { state: 'pending', nextTryAt: clock.now(), error: `failure ${tries}` });
      await ledger.record(await taken(orderId), failure);
    }
    const { rows } = await pool.query(
      'select attempt, duration_ms, error from ping_attempts where order_id = $1 order by 1',
      [orderId],
    );
    expect(rows).toEqual([1, 2, 3].map((number) => ({ attempt: number, duration_ms: 12, error: `failure ${number}` })));
  });

  it.each<Partial<PingAttempt>>([
    { state: 'delivered' },
    { state: 'parked', error: 'no answer' },
    { state: 'pending', error: 'no answer', nextTryAt: DUE_SINCE + 600_000 },
  ])('of a ping that was resent meanwhile is stored, and the ping stays due: %o', async (outcome) => {
    const orderId = await order(1);
    const lease = await taken(orderId);
    await new PingQueries(pool, clock).resendLatest(orderId);
    expect(await ledger.record(lease, attempt(1, outcome))).toMatchObject({ written: true });
    const due = { state: 'pending', next_try_at: new Date(clock.now()), tries: 0 };
    expect(await stateOf(orderId)).toMatchObject([{ ...due, attempts: 1, kept: 1 }]);
    const again = await taken(orderId);
    const { dueSince = 0 } = (await ledger.head(orderId)) ?? {};
    await ledger.record(again, attempt(1, { dueSince }));
    expect(await stateOf(orderId)).toMatchObject([{ state: 'delivered', tries: 1, attempts: 2, kept: 2 }]);
  });

  it('with an old fence writes nothing, even if nobody has done anything since', async () => {
    const orderId = await order(2);
    const old = await taken(orderId);
    clock.advance(LEASE_MS);
    const current = await taken(orderId, other);
    expect(await ledger.record(old, attempt(1))).toEqual({ written: false, next: undefined });
    expect(await stateOf(orderId)).toMatchObject([{ state: 'pending', attempts: 0, kept: 0 }, { state: 'pending' }]);
    expect(await other.record(current, attempt(1))).toMatchObject({ written: true, next: { sequence: 2 } });
  });

  it('with a released lease writes nothing', async () => {
    const orderId = await order(1);
    const lease = await taken(orderId);
    await ledger.release(lease);
    expect(await ledger.record(lease, attempt(1))).toEqual({ written: false, next: undefined });
    expect(await stateOf(orderId)).toMatchObject([{ state: 'pending', kept: 0 }]);
  });

  it('waits for a worker that is taking over the lease, and then writes nothing', async () => {
    const orderId = await order(1);
    const old = await taken(orderId);
    const session = await pool.connect();
    await session.query('begin');
    await session.query('update ping_leases set fence = fence + 1 where order_id = $1', [orderId]);
    const recording = ledger.record(old, attempt(1));
    await expect.poll(waiting).toBe(1);
    await session.query('commit');
    session.release();
    expect(await recording).toEqual({ written: false, next: undefined });
    expect(await stateOf(orderId)).toMatchObject([{ state: 'pending', kept: 0 }]);
  });

  it('of many orders at once gives the same results as one by one', async () => {
    const orders = await Promise.all(Array.from({ length: 30 }, (_, index) => order(1 + (index % 3))));
    const leases = await Promise.all(orders.map((orderId) => taken(orderId)));
    const recorded = await Promise.all(leases.map((lease) => ledger.record(lease, attempt(1))));
    expect(recorded.map(({ written }) => written)).toEqual(orders.map(() => true));
    expect(recorded.map(({ next }) => next?.orderId)).toEqual(
      orders.map((orderId, index) => (index % 3 === 0 ? undefined : orderId)),
    );
  });
});

/** Statements that wait for a lock. Only the owner sees what others wait for. */
async function waiting(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}
