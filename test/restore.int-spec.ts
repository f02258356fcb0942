import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pings, type PingEntry } from '#client/pings';
import { startTestApi, type TestApi } from './support/api.js';
import { call, codesOf, STAFF_TOKEN } from './support/callers.js';
import { eventLine } from './support/discovery/catalogue-lines.js';
import { createDurableCluster, type DurableCluster } from './support/database.js';
import { LivePings } from './support/ping-stream/live-pings.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import { startStreamWork } from './support/ping-stream/stream-work.js';
import { until } from './support/until.js';

const KEY = 'key-of-the-restored';

let cluster: DurableCluster;
let api: TestApi;
let work: ReturnType<typeof startStreamWork>;

beforeAll(async () => {
  cluster = await createDurableCluster();
  api = await startTestApi({ DISCOVERY_CLIENT_ID: KEY }, { url: cluster.url, drop: () => cluster.remove() });
  work = startStreamWork(cluster.url);
}, 120_000);
afterAll(async () => {
  await work.stop();
  await api.close();
});

type Page = Readonly<{ pings: PingEntry[]; next: number; epoch: string }>;

function read(query: string) {
  return call(`${api.url}/stream/v1/pings?${query}`, 'GET', undefined, { authorization: `Bearer ${STAFF_TOKEN}` });
}

/** Waits until the stream has so many entries, and returns them. */
async function pageOf(entries: number): Promise<Page> {
  return await until(async () => {
    const { body } = await read('limit=1000');
    return (body as Page).pings.length === entries && (body as Page);
  });
}

async function buy(times: number): Promise<string[]> {
  const ids: string[] = [];
  for (let time = 0; time < times; time += 1) {
    ids.push(await api.wholesale.bought({ ...wholesaleBody(), ref_id: `ref ${Math.random()}` }));
  }
  return ids;
}

const putEvent = async (id: number) => {
  const { status } = await api.staff.send('PUT', `catalogue/events/${id}`, eventLine(id));
  expect(status).toBe(200);
};
const found = async (): Promise<number[]> => {
  const { body } = await call(`${api.url}/2/events?client_id=${KEY}`, 'GET');
  return (body as { events: { id: number }[] }).events.map(({ id }) => id);
};

it('an api that runs during a point-in-time restore drops outdated data, and tells its readers', async () => {
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  for (const id of [1, 2]) await putEvent(id);
  const kept = await buy(3);
  const saved = await pageOf(3);
  await cluster.kill();
  cluster.save();
  await cluster.restart();

  // The restore reverts all of this.
  await until(() => api.staff.putListing('lst-1', { quantity: 1_000, wholesale_price: 1 }).then(() => true));
  const cheap = { ...wholesaleBody(), product: { ...wholesaleBody().product, total: 2 } };
  for (const ref_id of ['a', 'b', 'c', 'd']) await api.wholesale.bought({ ...cheap, ref_id });
  expect((await api.staff.send('DELETE', 'catalogue/events/1')).status).toBe(200);
  await putEvent(3);
  await until(async () => String(await found()) === '2,3');
  const lost = await pageOf(7);
  expect(lost.epoch).toBe(saved.epoch);
  const live = await LivePings.open(api.url, { lastEventId: lost.next });
  await until(() => live.epoch);
  expect(live.epoch).toEqual({ epoch: saved.epoch, last: lost.next });

  await cluster.kill();
  await cluster.restore();
  // Another process also writes version 2 of the listing, at another price. At first, the server is still in recovery.
  const anotherPrice = `update listings set version = 2,
    terms = jsonb_set(terms::jsonb, '{wholesalePriceCents}', '20000')::json where id = 'lst-1'`;
  await until(() => api.pool.query(anotherPrice));

  // The live stream has ended, and readers with the old position or epoch get a 409.
  await until(() => live.over);
  const beyond = await until(async () => {
    const answer = await read(`after=${lost.next}`);
    return answer.status === 409 && answer;
  });
  const { meta } = beyond.body as { meta: { epoch: string; last: number } };
  expect(codesOf(beyond)).toEqual([40902]);
  expect(meta).toEqual({ epoch: expect.not.stringMatching(saved.epoch), last: saved.next });
  const again = await LivePings.open(api.url, { lastEventId: lost.next });
  expect([again.response.status, await again.response.json()]).toEqual([409, beyond.body]);
  expect(await read(`after=1&epoch=${saved.epoch}`)).toMatchObject({ status: 409, body: { meta } });
  expect(await read(`after=${saved.next}&epoch=${meta.epoch}`)).toMatchObject({ status: 200, body: { pings: [] } });

  // Nothing is sold at the old price, and discovery shows current data.
  expect(codesOf(await api.wholesale.buy({ ...cheap, ref_id: 'e' }))).toEqual([40026]);
  expect(await found()).toEqual([1, 2]);

  // Positions are used a second time. The client chooses where to continue, and misses nothing.
  const product = { ...wholesaleBody().product, total: 400 };
  for (const ref_id of ['f', 'g', 'h', 'i', 'j']) await api.wholesale.bought({ ...wholesaleBody(), product, ref_id });
  const now = await pageOf(8);
  expect(now.pings.slice(0, 3).map(({ order_id }) => order_id)).toEqual(kept);
  const changes: unknown[] = [];
  const onEpochChange = (change: object) => {
    changes.push(change);
    return saved.next;
  };
  const seen: number[] = [];
  const reading = { url: api.url, token: STAFF_TOKEN, after: lost.next, epoch: lost.epoch, onEpochChange };
  for await (const { position } of pings(reading)) {
    seen.push(position);
    if (seen.length === 5) break;
  }
  expect(seen).toEqual(now.pings.slice(3).map(({ position }) => position));
  expect(changes).toEqual([{ epoch: meta.epoch, last: now.next, previous: saved.epoch, after: lost.next }]);
}, 180_000);
