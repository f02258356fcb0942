import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { connectionConfig, createPool } from '#database/pool';
import type { ReceivedPurchase } from '#domain/order-events';
import { moveToFeed } from '#event-store/feed-move';
import { readFeed } from '#event-store/feed-reader';
import { resetSubscription } from '#event-store/subscription';
import { killLockHolder } from '../../../test/support/postgres/locks.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { LiveOrders } from '../../../test/support/orders/live-orders.js';
import { readByConnection } from '../../../test/support/postgres/rows-read.js';
import { until } from '../../../test/support/until.js';
import { addToPingStream, PING_STREAM, PING_STREAM_CHANNEL } from './ping-stream.projection.js';
import { PingStreamWriter } from './stream/ping-stream-writer.js';
import { StreamBacklog } from './stream/stream-backlog.js';

let database: TestDatabase;
let owner: pg.Pool;
let orders: LiveOrders;
let stoppable: PingStreamWriter[];

beforeEach(async () => {
  database = await createTestDatabase();
  owner = createPool({
    databaseUrl: database.url,
    max: 4,
    applicationName: 'test',
    asOwner: true,
    onError: () => undefined,
  });
  orders = new LiveOrders(owner, new SeededRandomness(5));
  stoppable = [];
});

afterEach(async () => {
  await Promise.all(stoppable.map((one) => one.stop()));
  await owner.end();
  await database.drop();
});

async function moveAllToFeed(): Promise<void> {
  const client = await owner.connect();
  while ((await moveToFeed(client, [{ low: 0, high: 1e9 }])).length > 0);
  client.release();
}

function subscribe(options: { batch?: number } = {}): void {
  const subscription = new PingStreamWriter({
    connection: connectionConfig({ databaseUrl: database.url, applicationName: 'spec', byIndex: true }),
    onError: () => undefined,
    ...options,
  });
  stoppable.push(subscription);
  subscription.start();
}

async function caughtUp(): Promise<void> {
  await until(async () => {
    const { rows } = await owner.query(
      `select (select max(position) from feed) = position as done from subscriptions where name = $1`,
      [PING_STREAM],
    );
    return rows[0]?.done as boolean;
  });
}

/** The expected stream, computed from the events alone, without the table of pings and without SQL. */
async function expected(): Promise<object[]> {
  const { events } = await readFeed(owner, { after: 0, limit: 1e6 });
  const purchases = new Map<string, ReceivedPurchase & { sequence: number }>();
  return events.flatMap(({ stream, type, data, global_position: position, recorded_at, metadata }) => {
    if (type === 'PurchaseReceived') purchases.set(stream, { sequence: 0, ...(data as ReceivedPurchase) });
    const purchase = purchases.get(stream);
    if (!purchase || !('status' in data)) return [];
    const { event_id, listing_id } = purchase.product;
    const order_id = stream.replace('order-', '');
    const { ref_id, client_id } = purchase;
    const sequence = (purchase.sequence += 1);
    return {
      position,
      id: `${order_id.replace('ord', 'png')}_${sequence}`,
      order_id,
      sequence,
      ref_id,
      ...(data.status as object),
      occurred_at: new Date(recorded_at),
      transaction_id: metadata.transaction_id,
      event_id,
      listing_id,
      client_id,
    };
  });
}

const stream = async () => (await owner.query('select * from ping_stream order by position')).rows as object[];

it('has one entry for each status of every order, at its position in the feed', async () => {
  await orders.live(200);
  await moveAllToFeed();
  subscribe({ batch: 30 });
  await caughtUp();
  await orders.live(50);
  await moveAllToFeed();
  await caughtUp();
  const entries = await stream();
  expect(entries.length).toBeGreaterThan(80);
  expect(entries).toEqual(await expected());
});

it('misses and repeats nothing when the writing session is killed between and within batches', async () => {
  await orders.live(250);
  await moveAllToFeed();
  subscribe({ batch: 10 });
  subscribe({ batch: 10 });
  for (let kills = 0; kills < 3;) if (await killLockHolder(owner, `subscription ${PING_STREAM}`)) kills += 1;
  await caughtUp();
  expect(await stream()).toEqual(await expected());
});

it('notifies listeners once per batch, but not for a batch without a ping', async () => {
  const heard: unknown[] = [];
  const client = await owner.connect();
  client.on('notification', ({ channel }) => heard.push(channel));
  await client.query(`listen ${PING_STREAM_CHANNEL}`);
  await client.query(`insert into subscriptions (name, position) values ('${PING_STREAM}', 0)`);
  expect(await addToPingStream(client, 100), 'an empty feed').toBe(false);
  await owner.query(`insert into feed values (1, 'order-unknown', 1), (2, 'other-1', 1)`);
  expect(await addToPingStream(client, 100)).toBe(true);
  expect(await addToPingStream(client, 100)).toBe(false);
  expect(heard).toEqual([]);
  await orders.live(40);
  await moveAllToFeed();
  expect(await addToPingStream(client, 1_000)).toBe(true);
  await until(() => heard.length > 0);
  expect(heard).toEqual([PING_STREAM_CHANNEL]);
  client.release(true);
});

it('starts over at the first event after a reset, even while it runs', async () => {
  await orders.live(100);
  await moveAllToFeed();
  subscribe();
  await caughtUp();
  const rebuild = await owner.connect();
  await rebuild.query('begin');
  await resetSubscription(rebuild, PING_STREAM);
  await rebuild.query('delete from ping_stream');
  await orders.live(20);
  await moveAllToFeed();
  await until(async () => (await owner.query('select from pg_locks where not granted')).rowCount === 1);
  await rebuild.query('commit');
  rebuild.release();
  await caughtUp();
  expect(await stream()).toEqual(await expected());
});

it('looks up only the rows of a batch, with a plan that was made while the tables were small', async () => {
  const client = new pg.Client(connectionConfig({ databaseUrl: database.url, applicationName: 'spec', byIndex: true }));
  await client.connect();
  await client.query(`insert into subscriptions (name, position) values ('${PING_STREAM}', 0)`);
  await orders.live(2);
  await moveAllToFeed();
  await owner.query('analyze');
  // PostgreSQL keeps a plan after the fifth execution until the tables are analysed again.
  for (let n = 0; n < 10; n += 1) await addToPingStream(client, 100);
  await orders.live(300);
  await moveAllToFeed();
  await client.query('begin');
  expect(await addToPingStream(client, 20)).toBe(true);
  const read = await readByConnection(client, ['pings', 'events']);
  await client.end();
  expect(read).toBeGreaterThan(10);
  expect(read).toBeLessThan(100);
});

it('reports the age of the oldest event that it has not processed', async () => {
  const clock = new FixedClock('2026-03-01T10:00:00.000Z');
  const backlog = new StreamBacklog(owner, clock);
  expect(await backlog.oldestMs()).toBe(0);
  await orders.live(20);
  await moveAllToFeed();
  const { rows } = await owner.query<{ first: Date }>('select min(recorded_at) as first from events');
  clock.set(new Date(rows[0]!.first.getTime() + 3_000).toISOString());
  expect(await backlog.oldestMs()).toBe(3_000);
  subscribe();
  await until(async () => (await backlog.oldestMs()) === 0);
  expect((await stream()).length).toBeGreaterThan(0);
});
