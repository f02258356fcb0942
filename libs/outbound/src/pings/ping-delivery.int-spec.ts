import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock, ScriptedRandomness } from '../../../../test/support/fixed-clock.js';
import { addOrder, addPings, orderNo, pingName } from '../../../../test/support/pings/ping-rows.js';
import { PlatformDouble, acknowledgePing } from '../../../../test/support/pings/platform-double.js';
import { createBreaker } from '../../../../test/support/pings/platform-breakers.js';
import { type Break, lossyPool } from '../../../../test/support/postgres/lossy-pool.js';
import { until } from '../../../../test/support/until.js';
import { PingDelivery } from './ping-delivery.js';
import { pingId } from '../ping-id.js';
import { PingLedger } from './ping-ledger.js';
import { PingQueries } from '../ping-queries.js';
import { PingSender } from './ping-sender.js';
import { PingSigner } from './ping-signer.js';

const LEASE_MS = 20_000;
const RETRY = { firstMs: 5_000, maxMs: 60_000, forMs: 600_000 };

class FixedSigner extends PingSigner {
  async authorization(): Promise<string> {
    return 'XX cli_1:signature';
  }
}

let database: TestDatabase;
let pool: Pool;
let platform: PlatformDouble;
let sender: PingSender;
let clock: FixedClock;
let states: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, max: 8, lazyCommit: true, byIndex: true });
  platform = await PlatformDouble.start();
  clock = new FixedClock();
  const settings = { url: platform.url, scheme: 'XX', timeoutMs: 15_000, connections: 20 };
  sender = new PingSender(settings, new FixedSigner(), clock);
});
afterAll(async () => {
  await sender.close();
  await platform.stop();
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  clock.advance(3_600_000);
  platform.received.length = 0;
  platform.answering = acknowledgePing;
  states = [];
});

/** A worker that shares nothing with another. */
function worker(leaseMs = LEASE_MS, circuitBreaker = createBreaker(sender, clock), over = pool): PingDelivery {
  const ledger = new PingLedger(over, clock, new SystemRandomness(), { leaseMs });
  const settings = { ...RETRY, onAttempt: (state: string) => states.push(state) };
  return new PingDelivery(ledger, circuitBreaker, clock, new ScriptedRandomness(0), settings);
}

let used = 0;
async function order(pings: number): Promise<string> {
  used += 1;
  await addOrder(pool, orderNo(used), pings, clock.now() - 100);
  return orderNo(used);
}

const queries = () => new PingQueries(pool, clock);
const names = (orderId: string, ...sequences: number[]) => sequences.map((sequence) => pingName(orderId, sequence));

async function statesOf(orderId: string): Promise<string[]> {
  return (await queries().ofOrder(orderId)).map(({ state }) => state);
}

const failsAt =
  (name: string, status = 500, headers = {}): typeof acknowledgePing =>
  (ping, nth, response) =>
    ping.transactionId === name ? { status, headers } : acknowledgePing(ping, nth, response);

describe('the due pings of an order', () => {
  it('are delivered in sequence, and each attempt is recorded', async () => {
    const orderId = await order(3);
    platform.answering = (...ping) => {
      clock.advance(40);
      return acknowledgePing(...ping);
    };
    const startedAt = clock.iso();
    expect(await worker().drain(orderId)).toBeUndefined();
    expect(platform.transactionsOf(orderId)).toEqual(names(orderId, 1, 2, 3));
    expect(platform.received.map(({ besides }) => besides)).toEqual([0, 0, 0]);
    const pings = await queries().ofOrder(orderId);
    expect(pings).toMatchObject([1, 2, 3].map((sequence) => ({ sequence, state: 'delivered', tries: 1 })));
    const attempt = { attempt: 1, started_at: startedAt, duration_ms: 40, http_status: 200, error: null };
    expect(pings[0]?.attempts).toEqual([attempt]);
    expect(states).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('that are not due yet stay pending', async () => {
    const orderId = orderNo(0xabc);
    await addPings(pool, [{ orderId, sequence: 1, dueAt: clock.now() + 50 }]);
    expect(await worker().drain(orderId)).toEqual({ orderId, at: clock.now() + 50 });
    expect(platform.received).toEqual([]);
    clock.advance(50);
    expect(await worker().drain(orderId)).toBeUndefined();
    expect(await statesOf(orderId)).toEqual(['delivered']);
  });

  it('wait for the first ping if it fails, but those of other orders do not', async () => {
    const [failing, fine] = [await order(2), await order(2)];
    platform.answering = failsAt(pingName(failing, 1));
    const [again] = await Promise.all([worker().drain(failing), worker().drain(fine)]);
    expect(again).toEqual({ orderId: failing, at: clock.now() + RETRY.firstMs });
    expect(platform.transactionsOf(failing)).toEqual(names(failing, 1));
    expect(await statesOf(failing)).toEqual(['pending', 'pending']);
    expect(await statesOf(fine)).toEqual(['delivered', 'delivered']);
  });

  it('are not tried before their time, however many wake-ups arrive', async () => {
    const orderId = await order(2);
    platform.answering = failsAt(pingName(orderId, 1));
    const again = await worker().drain(orderId);
    clock.advance(RETRY.firstMs - 50);
    expect(await worker().drain(orderId)).toEqual(again);
    expect(platform.received).toHaveLength(1);
    clock.advance(50);
    platform.answering = acknowledgePing;
    await worker().drain(orderId);
    expect(platform.transactionsOf(orderId)).toEqual(names(orderId, 1, 1, 2));
  });

  it('follow the retry schedule, or Retry-After if that is later', async () => {
    const orderId = await order(1);
    const waits: number[] = [];
    for (const headers of [{}, {}, { 'retry-after': '40' }, { 'retry-after': '1' }]) {
      platform.answering = failsAt(pingName(orderId, 1), 503, headers);
      const again = await worker().drain(orderId);
      waits.push((again?.at ?? 0) - clock.now());
      clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([5_000, 10_000, 40_000, 40_000]);
  });

  it('wait for one slot each under a rate limit, so that other orders can go first', async () => {
    const orderId = await order(2);
    const circuitBreaker = createBreaker(sender, clock, { perSecond: 1_000 });
    expect(await worker(LEASE_MS, circuitBreaker).drain(orderId)).toEqual({ orderId, at: clock.now() });
    expect(await statesOf(orderId)).toEqual(['delivered', 'pending']);
    expect(await worker(LEASE_MS, circuitBreaker).drain(orderId)).toBeUndefined();
    expect(platform.transactionsOf(orderId)).toEqual(names(orderId, 1, 2));
  });

  it('are left to the worker that holds the lease, and checked again soon', async () => {
    const orderId = await order(1);
    let second: unknown;
    platform.answering = async (...ping) => {
      second = await worker().drain(orderId);
      return acknowledgePing(...ping);
    };
    await worker().drain(orderId);
    expect(second).toEqual({ orderId, at: clock.now() + 500 });
    expect(platform.received).toHaveLength(1);
  });
});

describe('while the platform is down, due pings', () => {
  const breaker = { failuresToOpen: 2, firstMs: 1_000, maxMs: 10_000 };
  const away: typeof acknowledgePing = () => ({ status: 502 });

  it('wait without attempts, and their order is left to the next drain', async () => {
    const circuitBreaker = createBreaker(sender, clock, { breaker });
    platform.answering = away;
    for (const orderId of [await order(1), await order(1)]) await worker(LEASE_MS, circuitBreaker).drain(orderId);
    expect(platform.received).toHaveLength(2);
    const waiting = await order(2);
    for (let time = 0; time < 5; time += 1)
      expect(await worker(LEASE_MS, circuitBreaker).drain(waiting)).toBeUndefined();
    expect(platform.transactionsOf(waiting)).toEqual([]);
    const untouched = { state: 'pending', tries: 0, attempts: [] };
    expect(await queries().ofOrder(waiting)).toMatchObject([untouched, untouched]);
    clock.advance(breaker.firstMs);
    platform.answering = acknowledgePing;
    expect(await worker(LEASE_MS, circuitBreaker).drain(waiting)).toBeUndefined();
    expect(platform.transactionsOf(waiting)).toEqual(names(waiting, 1, 2));
    expect(await queries().ofOrder(waiting)).toMatchObject([1, 2].map(() => ({ state: 'delivered', tries: 1 })));
  });

  it('get their last try on time and are parked, and the next ping of the order waits', async () => {
    const circuitBreaker = createBreaker(sender, clock, { breaker, forMs: RETRY.forMs });
    platform.answering = away;
    for (const orderId of [await order(1), await order(1)]) await worker(LEASE_MS, circuitBreaker).drain(orderId);
    const orderId = orderNo(0xdef);
    const dueAt = clock.now() - RETRY.forMs;
    await addPings(pool, [
      { orderId, sequence: 1, dueAt },
      { orderId, sequence: 2, dueAt: dueAt + 1 },
    ]);
    expect(await worker(LEASE_MS, circuitBreaker).drain(orderId)).toBeUndefined();
    expect(platform.transactionsOf(orderId)).toEqual(names(orderId, 1));
    expect(await queries().ofOrder(orderId)).toMatchObject([{ state: 'parked' }, { state: 'pending', tries: 0 }]);
    expect((await pool.query('select from ping_leases where order_id = $1', [orderId])).rowCount).toBe(0);
  });
});

describe('a ping that ran out of tries', () => {
  async function parked(): Promise<string> {
    const orderId = await order(2);
    platform.answering = failsAt(pingName(orderId, 1));
    clock.advance(RETRY.forMs);
    await worker().drain(orderId);
    return orderId;
  }

  it('is parked and visible, and the pings after it continue', async () => {
    const orderId = await parked();
    expect(await statesOf(orderId)).toEqual(['parked', 'delivered']);
    const [ping] = await queries().list({ state: 'parked', order_id: orderId }, { limit: 10 });
    const attempts = [{ http_status: 500, error: 'the platform answered 500' }];
    expect(ping).toMatchObject({ sequence: 1, next_try_at: null, attempts });
    expect(states).toEqual(['parked', 'delivered']);
  });

  it('was tried until its delivery period was over', async () => {
    const orderId = await order(1);
    const dueAt = clock.now() - 100;
    platform.answering = () => ({ status: 500 });
    for (;;) {
      const again = await worker().drain(orderId);
      if (!again) break;
      clock.advance(again.at - clock.now());
    }
    expect(clock.now() - dueAt).toBe(RETRY.forMs);
    expect(await statesOf(orderId)).toEqual(['parked']);
    expect(platform.received.length).toBeGreaterThan(10);
  });

  it('can be resent with a new delivery period', async () => {
    const orderId = await parked();
    const id = pingId({ orderId, sequence: 1 });
    expect(await queries().resend(id)).toMatchObject({ state: 'pending', tries: 0 });
    expect(await worker().drain(orderId)).toEqual({ orderId, at: clock.now() + RETRY.firstMs });
    clock.advance(RETRY.firstMs);
    platform.answering = acknowledgePing;
    await worker().drain(orderId);
    const ping = await queries().find(id);
    expect(ping).toMatchObject({ state: 'delivered', tries: 2 });
    expect(ping?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });
});

describe('a worker that dies', () => {
  it('leaves a ping that is repeated in sequence if it dies between the response and the record', async () => {
    const orderId = await order(2);
    // What it did: take the lease and send the first ping.
    const ledger = new PingLedger(pool, clock, new SystemRandomness(), { leaseMs: LEASE_MS });
    await ledger.take(orderId);
    const head = await ledger.head(orderId);
    expect(head && (await sender.send(head))).toMatchObject({ error: null });
    clock.advance(LEASE_MS - 1);
    expect(await worker().drain(orderId)).toEqual({ orderId, at: clock.now() + 500 });
    clock.advance(1);
    expect(await worker().drain(orderId)).toBeUndefined();
    expect(platform.transactionsOf(orderId)).toEqual(names(orderId, 1, 1, 2));
  });

  it('writes nothing after another worker has taken over', async () => {
    const orderId = await order(2);
    platform.answering = async (ping, nth, response) => {
      if (nth === 1) {
        clock.advance(LEASE_MS);
        await worker().drain(orderId);
        return { status: 500 };
      }
      return acknowledgePing(ping, nth, response);
    };
    expect(await worker().drain(orderId)).toBeUndefined();
    expect(platform.transactionsOf(orderId)).toEqual(names(orderId, 1, 1, 2));
    expect(states).toEqual(['delivered', 'delivered']);
    const pings = await queries().ofOrder(orderId);
    expect(pings).toMatchObject([1, 2].map(() => ({ state: 'delivered', tries: 1, attempts: [{ http_status: 200 }] })));
  });
});

describe('several workers at once', () => {
  it('never send two pings of an order at once, or out of order, or one that is delivered', async () => {
    const orders = await Promise.all([3, 1, 4, 2, 5, 3, 2, 6].map((pings) => order(pings)));
    const random = new SystemRandomness();
    platform.answering = (...ping) => (random.fraction() < 0.3 ? { status: 503 } : acknowledgePing(...ping));
    const pending = async () => (await Promise.all(orders.map(statesOf))).flat().includes('pending');
    // No barrier between them, so one may start an order at the moment when another finishes it.
    const drainAll = async (each: PingDelivery, orderId: string) => {
      while (await pending()) {
        await each.drain(orderId);
        clock.advance(100);
      }
    };
    // Longer than all their advances of the clock together.
    const workers = [1, 2, 3].map(() => worker(1e9));
    await Promise.all(workers.flatMap((each) => orders.map((orderId) => drainAll(each, orderId))));
    expect(platform.received.filter(({ besides }) => besides > 0)).toEqual([]);
    for (const orderId of orders) {
      const pings = await queries().ofOrder(orderId);
      // Every recorded attempt was one ping on the wire: failures of the first, its delivery, failures of the second, …
      const expected = pings.flatMap(({ sequence, attempts }) => attempts.map(() => pingName(orderId, sequence)));
      expect(platform.transactionsOf(orderId)).toEqual(expected);
      expect(pings.map(({ attempts }) => attempts.filter(({ http_status }) => http_status === 200).length)).toEqual(
        pings.map(() => 1),
      );
    }
  });
});

describe('after a broken connection another worker does not have to wait for the end of the lease', () => {
  const releaseFailsToo: Break = { statement: 'ping-leases-release', lost: 'request' };

  it.each<Break>([
    { statement: 'ping-leases-take', lost: 'response' },
    { statement: 'ping-heads', lost: 'request' },
    { statement: 'ping-attempts-record', lost: 'request' },
  ])('$statement, $lost lost', async (broken) => {
    const orderId = await order(1);
    const lossy = worker(LEASE_MS, undefined, lossyPool(pool, broken, releaseFailsToo));
    await expect(lossy.drain(orderId)).rejects.toThrow('Connection terminated');
    const another = worker();
    await until(async () => (await another.drain(orderId)) === undefined);
    expect(await statesOf(orderId)).toEqual(['delivered']);
  });
});
