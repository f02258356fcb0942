import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReceivedPingList, type ReadPurchase } from './received-ping.contract.js';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { type IncomingPing, ReceivedPings } from './received-pings.js';

const PURCHASE: ReadPurchase = {
  id: 'ord_1',
  status: { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 },
  product: { event_id: 'e', listing_id: 'l', quantity: 2 },
  delivery_method: { type: 'download' },
  fulfillment: null,
  ref_id: 'ref-1',
};

let database: TestDatabase;
let pool: Pool;
let clock: FixedClock;
let pings: ReceivedPings;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('delete from sandbox_pings');
  clock = new FixedClock('2026-11-21T12:00:00.000Z');
  pings = new ReceivedPings(pool, clock);
});

const record = (ping: Partial<IncomingPing> = {}) =>
  pings.record({ orderId: 'ord_1', refId: 'ref-1', transactionId: 'txn-1', clientId: 'platform-1', ...ping });

async function unread(id: number) {
  const ping = await pings.findUnread(id);
  if (!ping) throw new Error('it is not to be read');
  return ping;
}

const announcements = async () =>
  (await pings.list({ limit: 50 })).map(({ announcement }) => announcement).toReversed();

describe('a received ping', () => {
  it('waits to be read, and is listed with the purchase that was read', async () => {
    const id = await record();
    expect(await pings.list({ limit: 10 })).toMatchObject([{ id, state: 'waiting', reads: 0, purchase: null }]);

    clock.advance(40);
    await pings.recordRead(await unread(id), { purchase: PURCHASE, showsAnnounced: true });
    const listed = await pings.list({ limit: 10 });
    expect(listed).toEqual([
      {
        id,
        order_id: 'ord_1',
        ref_id: 'ref-1',
        client_id: 'platform-1',
        transaction_id: 'txn-1',
        signature_valid: true,
        announcement: 1,
        received_at: '2026-11-21T12:00:00.000Z',
        state: 'read',
        reads: 1,
        next_read_at: null,
        read_at: '2026-11-21T12:00:00.040Z',
        read_error: null,
        shows_announced: true,
        purchase: PURCHASE,
      },
    ]);
    expect(ReceivedPingList.parse({ pings: listed, next_cursor: null }).pings).toEqual(listed);
    expect(await pings.findUnread(id)).toBeUndefined();
  });

  it('keeps the error of a failed read until a retry succeeds', async () => {
    const id = await record();
    await pings.recordRead(await unread(id), { error: 'the answer was 503', nextReadAt: clock.now() + 1_000 });
    expect(await pings.list({ limit: 1 })).toMatchObject([
      { state: 'waiting', reads: 1, read_error: 'the answer was 503', next_read_at: '2026-11-21T12:00:01.000Z' },
    ]);
    await pings.recordRead(await unread(id), { purchase: PURCHASE, showsAnnounced: null });
    expect(await pings.list({ limit: 1 })).toMatchObject([{ state: 'read', reads: 2, read_error: null }]);
  });

  it('is given up with its last error', async () => {
    const id = await record();
    await pings.recordRead(await unread(id), { error: 'the answer was 401', nextReadAt: null });
    expect(await pings.list({ limit: 1 })).toMatchObject([{ state: 'given_up', read_error: 'the answer was 401' }]);
    expect(await pings.findUnread(id)).toBeUndefined();
  });

  it('accepts the result of one read once', async () => {
    const ping = await unread(await record());
    await pings.recordRead(ping, { error: 'first', nextReadAt: clock.now() });
    await pings.recordRead(ping, { error: 'too late', nextReadAt: null });
    expect(await pings.list({ limit: 1 })).toMatchObject([{ state: 'waiting', reads: 1, read_error: 'first' }]);
  });

  it('is not read if its signature is invalid', async () => {
    const id = await record({ clientId: null });
    expect(await pings.findUnread(id)).toBeUndefined();
    expect(await pings.list({ limit: 1 })).toMatchObject([
      { state: 'refused', signature_valid: false, client_id: null, announcement: null, next_read_at: null },
    ]);
  });

  it('can be deleted', async () => {
    await pings.forget(await record());
    expect(await pings.list({ limit: 1 })).toEqual([]);
  });
});

describe('the announcement', () => {
  it('counts the transactions of an order; a repeated ping has the number of the first', async () => {
    for (const transactionId of ['a', 'a', 'b', 'a', 'c', 'b']) await record({ transactionId });
    expect(await announcements()).toEqual([1, 1, 2, 1, 3, 2]);
  });

  it('does not count other orders, other clients or invalid signatures', async () => {
    await record({ transactionId: 'a' });
    await record({ transactionId: 'b', orderId: 'ord_2' });
    await record({ transactionId: 'c', clientId: 'platform-2' });
    await record({ transactionId: 'd', clientId: null });
    await record({ transactionId: 'e' });
    expect(await announcements()).toEqual([1, 1, 1, null, 2]);
  });

  it('counts each ping without a transaction id', async () => {
    await record({ transactionId: null });
    await record({ transactionId: null });
    expect(await announcements()).toEqual([1, 2]);
  });
});

describe('the list', () => {
  it('has the newest pings first, in pages', async () => {
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.push(await record());
    const first = await pings.list({ limit: 3 });
    const second = await pings.list({ limit: 3, before: first.at(-1)?.id });
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('has counts', async () => {
    expect(await pings.counts()).toEqual({ received: 0, orders: 0, waiting: 0, refused: 0 });
    await pings.recordRead(await unread(await record()), { purchase: PURCHASE, showsAnnounced: true });
    await record({ orderId: 'ord_2' });
    await record({ orderId: 'ord_2', transactionId: 'txn-2' });
    await record({ orderId: 'made up', clientId: null });
    expect(await pings.counts()).toEqual({ received: 4, orders: 2, waiting: 2, refused: 1 });
  });

  it('returns reads that are overdue, and none that are not due yet', async () => {
    const id = await record();
    const done = await record();
    await pings.recordRead(await unread(done), { purchase: PURCHASE, showsAnnounced: true });
    clock.advance(999);
    expect(await pings.overdue(1_000, 10)).toEqual([]);
    clock.advance(1);
    expect(await pings.overdue(1_000, 10)).toEqual([{ id, reads: 0 }]);
  });

  it('keeps the newest hundred with an invalid signature, and all with a valid one', async () => {
    const signed = await record();
    for (let n = 0; n < 103; n += 1) await record({ clientId: null, transactionId: `t-${n}` });
    const listed = await pings.list({ limit: 200 });
    expect(listed).toHaveLength(101);
    expect(listed.at(-1)?.id).toBe(signed);
    expect(listed.at(-2)?.transaction_id).toBe('t-3');
  });

  it('keeps the newest ten thousand', async () => {
    await pool.query(
      `insert into sandbox_pings (order_id, signature_valid, received_at, announcement)
       select 'ord_' || n, true, now(), 1 from generate_series(1, 10100) as n`,
    );
    for (let n = 0; n < 100; n += 1) await record();
    const { rows } = await pool.query<{ kept: number }>('select count(*)::int as kept from sandbox_pings');
    expect(rows[0]?.kept).toBeGreaterThanOrEqual(10_000);
    expect(rows[0]?.kept).toBeLessThan(10_101);
  });
});
