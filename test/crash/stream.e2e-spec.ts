import { afterAll, beforeAll, expect, it } from 'vitest';
import { pingId } from '#outbound/ping-id';
import { call, STAFF_TOKEN } from '../support/callers.js';
import { FollowingReader } from '../support/ping-stream/following-reader.js';
import type { LivePing } from '../support/ping-stream/live-pings.js';
import { Load } from '../support/stand/load.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

let stand: Stand;
let load: Load;
let readers: FollowingReader[];

beforeAll(async () => {
  stand = await Stand.start();
  // Each starts at another process. One has a filter.
  const urls = stand.apiUrls;
  readers = [
    new FollowingReader(urls),
    new FollowingReader(urls.toReversed()),
    new FollowingReader(urls, '?status=confirmed,rejected'),
  ];
  load = await Load.start({ apis: urls });
  await load.waitForPurchases(10);
});
afterAll(async () => {
  await load.stop();
  await Promise.all(readers.map((reader) => reader.stop()));
  await stand.close();
});

it('api and worker reconnect by themselves when PostgreSQL is killed twice', async () => {
  const { cluster, apis, workers } = stand.parts;
  const services = [...apis, ...workers];
  const pids = () => services.map(({ pid }) => pid);
  const before = pids();
  for (let death = 1; death <= 2; death += 1) {
    await cluster?.kill();
    await load.waitForCuts(20);
    await cluster?.restart();
    await load.waitForPurchases();
  }
  expect(pids()).toEqual(before);
  expect(services.every(({ running }) => running)).toBe(true);
  // The services are bundled, but the stacks in their logs name the files that the bundle was made of.
  const stacks = services.flatMap(({ log }) => log().match(/"stack":"[^"]+"/g) ?? []);
  expect(stacks.join()).toContain('node_modules/pg-protocol/dist/');
  expect(stacks.join()).not.toContain('dist/programs');
});

it('nothing is lost, and readers miss and repeat nothing, when PostgreSQL, each api and the worker were killed', async () => {
  for (const number of [0, 1]) {
    const cuts = () => readers.reduce((sum, reader) => sum + reader.cuts, 0);
    const before = cuts();
    await stand.api(number).kill();
    await load.waitForCuts();
    await until(() => cuts() > before);
    await stand.api(number).start();
    await load.waitForPurchases(10);
  }
  await stand.worker().kill();
  await load.waitForPurchases(10);
  await stand.worker().start();
  await load.waitForPurchases(10);
  await allIsRead();
});

/** Ends the load and compares the due pings, the feed, and what each reader got. */
async function allIsRead(): Promise<void> {
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
  const { rows } = await stand.pool.query<{ orderId: string; sequence: number }>(
    'select order_id as "orderId", sequence from pings order by order_id, sequence',
  );
  const feed = await until(async () => {
    const entries = await wholeFeed();
    return entries.length === rows.length && entries;
  });
  expect(feed.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    rows.map(pingId).toSorted((a, b) => (a < b ? -1 : 1)),
  );
  const sequences = new Map<string, number>();
  for (const { order_id, sequence } of feed) {
    expect(sequence).toBe((sequences.get(order_id) ?? 0) + 1);
    sequences.set(order_id, sequence);
  }
  const wanted = [feed, feed, feed.filter(({ status }) => ['confirmed', 'rejected'].includes(status))];
  for (const [index, reader] of readers.entries()) {
    await until(() => reader.pings.length >= wanted[index]!.length);
    expect(reader.pings).toEqual(wanted[index]!.map((entry) => ({ eventId: String(entry.position), ...entry })));
  }
}

type Entry = Omit<LivePing, 'eventId'> & { status: string };

async function wholeFeed(): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after = 0; ;) {
    const url = `${stand.api().url}/stream/v1/pings?after=${after}&limit=1000`;
    const { body } = await call(url, 'GET', undefined, { authorization: `Bearer ${STAFF_TOKEN}` });
    const { pings, next } = body as { pings: Entry[]; next: number };
    if (next === after) return entries;
    entries.push(...pings);
    after = next;
  }
}
