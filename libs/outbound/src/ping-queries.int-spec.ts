import type { Ping } from './ping.contract.js';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { addPings, orderNo } from '../../../test/support/pings/ping-rows.js';
import { pingId, type PingKey, pingKey } from './ping-id.js';
import { PingQueries } from './ping-queries.js';

let database: TestDatabase;
let pool: Pool;
let clock: FixedClock;
let pings: PingQueries;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, max: 5 });
  clock = new FixedClock();
  pings = new PingQueries(pool, clock);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const id = (order: number, sequence: number) => pingId({ orderId: orderNo(order), sequence });
const ids = (found: readonly Ping[]) => found.map((ping) => ping.id);

/** Orders 1 to 4 with three pings each: the first is delivered, the second of orders 1 and 2 is parked, the rest is pending. */
beforeEach(async () => {
  await pool.query(`update pings set order_id = 'gone ' || gen_random_uuid(), state = 'delivered', next_try_at = null`);
  const keys = [1, 2, 3, 4].flatMap((order) => [1, 2, 3].map((sequence) => ({ orderId: orderNo(order), sequence })));
  await addPings(
    pool,
    keys.map((key, index) => ({ ...key, dueAt: clock.now() - 60_000 + index })),
  );
  await pool.query(
    `update pings set next_try_at = null, tries = 3, attempts = 3, delivered_at = case when sequence = 1 then $1::timestamptz end,
       state = case sequence when 1 then 'delivered' else 'parked' end
     where order_id = any($2) and sequence = 1 or order_id = any($3) and sequence = 2`,
    [clock.iso(), [1, 2, 3, 4].map(orderNo), [1, 2].map(orderNo)],
  );
});

async function states(): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ order_id: string; sequence: number; state: string }>(
    `select order_id, sequence, state from pings where order_id like 'ord_%'`,
  );
  return Object.fromEntries(rows.map((row) => [pingId({ orderId: row.order_id, sequence: row.sequence }), row.state]));
}

describe('the list of pings', () => {
  const page = { limit: 100 };

  it('is filtered by state and by order', async () => {
    expect(ids(await pings.list({ state: 'parked' }, page))).toEqual([id(2, 2), id(1, 2)]);
    expect(ids(await pings.list({ order_id: orderNo(3) }, page))).toEqual([id(3, 3), id(3, 2), id(3, 1)]);
    expect(ids(await pings.list({ state: 'pending', order_id: orderNo(1) }, page))).toEqual([id(1, 3)]);
    expect(await pings.list({ order_id: orderNo(9) }, page)).toEqual([]);
  });

  it('comes in pages without gaps or repeats', async () => {
    const seen: string[] = [];
    let after: PingKey | undefined;
    do {
      const found = await pings.list({ state: 'pending' }, { limit: 2, after });
      seen.push(...ids(found));
      after = found.length === 2 ? pingKey(seen.at(-1) ?? '') : undefined;
    } while (after);
    expect(seen).toEqual([id(4, 3), id(4, 2), id(3, 3), id(3, 2), id(2, 3), id(1, 3)]);
  });

  it('of one order starts with its first ping', async () => {
    expect(ids(await pings.ofOrder(orderNo(1)))).toEqual([id(1, 1), id(1, 2), id(1, 3)]);
  });
});

describe('one ping', () => {
  it('is found by its id, with its times as ISO 8601 and its attempts', async () => {
    await pool.query(
      `insert into ping_attempts values ($1, 2, 2, $2, 9, null, 'no answer'), ($1, 2, 1, $2, 8, 500, 'no')`,
      [orderNo(1), clock.iso()],
    );
    expect(await pings.find(id(1, 2))).toEqual({
      id: id(1, 2),
      order_id: orderNo(1),
      ref_id: `ref of ${orderNo(1)}`,
      sequence: 2,
      status: 'confirmed',
      status_code: 2002,
      status_message: 'Status 2',
      occurred_at: '2026-11-21T11:59:00.001Z',
      transaction_id: `${orderNo(1)}/2`,
      state: 'parked',
      tries: 3,
      next_try_at: null,
      delivered_at: null,
      attempts: [
        { attempt: 1, started_at: clock.iso(), duration_ms: 8, http_status: 500, error: 'no', answer: null },
        { attempt: 2, started_at: clock.iso(), duration_ms: 9, http_status: null, error: 'no answer', answer: null },
      ],
    });
    expect(await pings.find(id(1, 1))).toMatchObject({ state: 'delivered', delivered_at: clock.iso(), attempts: [] });
  });

  it('is the same among those of its order, but for what the platform answered', async () => {
    const found = await Promise.all([1, 2, 3].map((sequence) => pings.find(id(1, sequence))));
    const expected = found.map((ping) => ({
      ...ping,
      attempts: ping?.attempts.map(({ attempt, started_at, duration_ms, http_status, error }) => {
        return { attempt, started_at, duration_ms, http_status, error };
      }),
    }));
    expect(expected[1]?.attempts).toHaveLength(2);
    expect(await pings.ofOrder(orderNo(1))).toEqual(expected);
  });

  it.each(['', 'png_1', orderNo(1), id(1, 4), id(9, 1)])('is not found by %j', async (text) => {
    expect(await pings.find(text)).toBeUndefined();
    expect(await pings.resend(text)).toBeUndefined();
  });

  it.each([1, 2, 3])('can be sent again in any state (%i)', async (sequence) => {
    const due = { state: 'pending', tries: 0, next_try_at: clock.iso(), delivered_at: null };
    expect(await pings.resend(id(1, sequence))).toMatchObject({ id: id(1, sequence), ...due });
    expect(Object.values(await states()).filter((state) => state === 'pending')).toHaveLength(sequence === 3 ? 6 : 7);
  });
});

describe('resending by a filter', () => {
  it('reports on a dry run what it would send, and changes nothing', async () => {
    const before = await states();
    const found = await pings.resendMatching({ state: 'parked' }, { dryRun: true });
    expect(found).toEqual({ matched: 2, ids: [id(1, 2), id(2, 2)] });
    expect(await states()).toEqual(before);
  });

  it('makes the matching pings due now, and no others', async () => {
    const before = await states();
    const found = await pings.resendMatching({ state: 'parked', order_id: orderNo(2) }, { dryRun: false });
    expect(found).toEqual({ matched: 1, ids: [id(2, 2)] });
    expect(await states()).toEqual({ ...before, [id(2, 2)]: 'pending' });
    expect(await pings.find(id(2, 2))).toMatchObject({ tries: 0, next_try_at: clock.iso() });
  });

  it('without a state means parked pings', async () => {
    expect(await pings.resendMatching({}, { dryRun: false })).toEqual({ matched: 2, ids: [id(1, 2), id(2, 2)] });
    expect(await pings.resendMatching({ order_id: orderNo(3) }, { dryRun: false })).toEqual({ matched: 0, ids: [] });
  });

  it('does not wait for the next try of pending pings', async () => {
    await pool.query(`update pings set next_try_at = $1 where order_id = $2 and sequence = 3`, [
      '2026-11-22T12:00:00Z',
      orderNo(1),
    ]);
    const found = await pings.resendMatching({ state: 'pending', order_id: orderNo(1) }, { dryRun: false });
    expect(found).toEqual({ matched: 1, ids: [id(1, 3)] });
    expect(await pings.find(id(1, 3))).toMatchObject({ next_try_at: clock.iso() });
  });

  it('returns a hundred ids and counts all', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => ({ orderId: orderNo(0x5000), sequence: index + 1 }));
    await addPings(
      pool,
      keys.map((key) => ({ ...key, dueAt: clock.now() })),
    );
    const found = await pings.resendMatching({ state: 'pending', order_id: orderNo(0x5000) }, { dryRun: false });
    expect(found.matched).toBe(150);
    expect(found.ids).toEqual(keys.slice(0, 100).map(pingId));
  });
});

describe('the counts', () => {
  it('are those of each state, and the age of the oldest pending ping', async () => {
    const { rows } = await pool.query<{ gone: number }>(
      `select count(*)::int as gone from pings where order_id like 'gone%'`,
    );
    const gone = rows[0]?.gone ?? 0;
    expect(await pings.counts()).toEqual({ pending: 6, parked: 2, delivered: 4 + gone, oldestPendingMs: 60_000 - 2 });
    await pool.query(`update pings set state = 'delivered', next_try_at = null`);
    expect(await pings.counts()).toMatchObject({ pending: 0, parked: 0, oldestPendingMs: 0 });
  });
});
