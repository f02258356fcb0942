import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { pingId } from './ping-id.js';
import { PingQueries } from './ping-queries.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { addOrder, orderNo } from '../../../test/support/pings/ping-rows.js';
import { Drift } from './drift.js';
import { PlatformReads } from './platform-reads.js';

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
const clock = new FixedClock();
let drift: Drift;
let reads: PlatformReads;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined };
  pool = createPool(options);
  owner = createPool({ ...options, asOwner: true });
  drift = new Drift(pool, clock);
  reads = new PlatformReads(pool);
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

const now = () => clock.now();
const ALL = { older_than_seconds: 0 };
const drifting = async (limit = 100) => (await drift.list(ALL, { limit })).map(({ order_id }) => order_id);

/** Order 1 with three pings that were not sent yet, a minute old; orders 2 and 3 with two. */
beforeEach(async () => {
  await owner.query('truncate pings, ping_attempts, platform_reads');
  await addOrder(pool, orderNo(1), 3, now() - 60_000);
  await addOrder(pool, orderNo(2), 2, now() - 50_000);
  await addOrder(pool, orderNo(3), 2, now() - 40_000);
});

/** As the worker leaves a ping that was acknowledged or parked. */
async function settle(order: number, sequence: number, state: 'delivered' | 'parked'): Promise<void> {
  await pool.query(
    `update pings set state = $3, tries = 1, attempts = 1, next_try_at = null,
       delivered_at = case $3 when 'delivered' then $4::timestamptz end where order_id = $1 and sequence = $2`,
    [orderNo(order), sequence, state, clock.iso()],
  );
  await pool.query(`insert into ping_attempts values ($1, $2, 1, $3, 10, 200, $4)`, [
    orderNo(order),
    sequence,
    clock.iso(),
    state === 'delivered' ? null : 'answered 500',
  ]);
}

describe('an order drifts', () => {
  it('until the platform has acknowledged the ping of its newest status', async () => {
    expect(await drifting()).toEqual([1, 2, 3].map(orderNo));
    await settle(1, 1, 'delivered');
    await settle(2, 1, 'delivered');
    await settle(2, 2, 'delivered');
    expect(await drifting()).toEqual([1, 3].map(orderNo));
    await settle(1, 3, 'delivered');
    expect(await drifting()).toEqual([orderNo(3)]);
  });

  it('until the platform has read the version of its newest status', async () => {
    reads.note(orderNo(1), 3, now() + 1_000);
    await reads.flush();
    expect(await drifting()).toEqual([1, 2, 3].map(orderNo));
    reads.note(orderNo(1), 4, now() + 2_000);
    await reads.flush();
    expect(await drifting()).toEqual([2, 3].map(orderNo));
  });

  it('not if an acknowledged ping is resent', async () => {
    for (const sequence of [1, 2]) await settle(3, sequence, 'delivered');
    await new PingQueries(pool, clock).resend(pingId({ orderId: orderNo(3), sequence: 2 }));
    expect(await drifting()).toEqual([1, 2].map(orderNo));
  });

  it('only after a while, if requested', async () => {
    const old = await drift.list({ older_than_seconds: 45 }, { limit: 100 });
    expect(old.map(({ order_id }) => order_id)).toEqual([1, 2].map(orderNo));
  });
});

describe('the report', () => {
  it('shows what the platform knows, and why it knows no more', async () => {
    await settle(1, 1, 'delivered');
    await settle(2, 1, 'delivered');
    await settle(2, 2, 'parked');
    reads.note(orderNo(2), 1, now() - 5_000);
    await reads.flush();
    const [first, second, third] = await drift.list(ALL, { limit: 3 });
    expect(first).toEqual({
      order_id: orderNo(1),
      ref_id: `ref of ${orderNo(1)}`,
      status: 'confirmed',
      status_code: 2003,
      status_message: 'Status 3',
      sequence: 3,
      changed_at: '2026-11-21T11:59:00.002Z',
      last_acknowledged: { sequence: 1, at: '2026-11-21T12:00:00.010Z' },
      last_read_at: null,
      why: 'pending',
      ping: {
        id: pingId({ orderId: orderNo(1), sequence: 3 }),
        state: 'pending',
        tries: 0,
        next_try_at: '2026-11-21T11:59:00.002Z',
      },
    });
    expect(second).toMatchObject({
      order_id: orderNo(2),
      why: 'parked',
      last_read_at: '2026-11-21T11:59:55.000Z',
      ping: { state: 'parked', tries: 1, next_try_at: null },
    });
    expect(third).toMatchObject({ order_id: orderNo(3), why: 'never_acknowledged', last_acknowledged: null });
  });

  it('comes in pages', async () => {
    expect(await drifting(2)).toEqual([1, 2].map(orderNo));
    const rest = await drift.list(ALL, { limit: 2, after: orderNo(2) });
    expect(rest.map(({ order_id }) => order_id)).toEqual([orderNo(3)]);
  });
});

describe('resending', () => {
  const id = (order: number, sequence: number) => pingId({ orderId: orderNo(order), sequence });
  const due = async () => {
    const { rows } = await pool.query<{ order_id: string; sequence: number }>(
      `select order_id, sequence from pings where next_try_at = $1 and state = 'pending' and tries = 0 order by 1, 2`,
      [clock.iso()],
    );
    return rows.map(({ order_id, sequence }) => pingId({ orderId: order_id, sequence }));
  };

  it('makes the missed pings of drifting orders due, and no others', async () => {
    await settle(1, 1, 'delivered');
    await settle(1, 2, 'parked');
    await settle(2, 1, 'parked');
    await settle(2, 2, 'delivered');
    await settle(3, 1, 'delivered');
    await settle(3, 2, 'parked');
    const found = { matched: 3, ids: [id(1, 2), id(1, 3), id(3, 2)] };
    expect(await drift.resendMatching(ALL, { dryRun: true })).toEqual(found);
    expect(await due()).toEqual([]);
    expect(await drift.resendMatching(ALL, { dryRun: false })).toEqual(found);
    expect(await due()).toEqual(found.ids);
  });
});

describe('a read of the platform', () => {
  it('is kept while the database is unreachable', async () => {
    let isAway = true;
    const query: Pool['query'] = (...given: [never]) => {
      return isAway ? Promise.reject(new Error('away')) : pool.query(...given);
    };
    const buffered = new PlatformReads({ query } as Pool);
    buffered.note(orderNo(1), 4, now());
    await expect(buffered.flush()).rejects.toThrow('away');
    isAway = false;
    await buffered.flush();
    expect(await drifting()).toEqual([2, 3].map(orderNo));
  });

  it.each(['at once', 'one after the other'])('never goes back, written %s', async (how) => {
    for (const version of [4, 2]) {
      reads.note(orderNo(1), version, now() + version);
      if (how !== 'at once') await reads.flush();
    }
    await reads.flush();
    const { rows } = await pool.query('select order_id, version, read_at from platform_reads');
    expect(rows).toEqual([{ order_id: orderNo(1), version: 4, read_at: new Date(now() + 4) }]);
  });
});
