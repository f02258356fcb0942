import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { SeededRandomness } from '#base/seeded-randomness';
import { BoughtTogether } from '#discovery/bought-together';
import { Catalogue } from '#discovery/catalogue';
import { CatalogueRefresh } from '#discovery/catalogue/catalogue-refresh';
import { CATALOGUE_TASKS } from '#discovery/catalogue.tasks';
import { Popularity } from '#discovery/popularity';
import { StockStats } from '#discovery/stock-stats';
import { parseSettings } from '#base/load-settings';
import { connectionConfig } from '#database/pool';
import { FeedLeader } from '#event-store/feed-leader';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { eventLine, performerLine } from '../../../test/support/discovery/catalogue-lines.js';
import { LiveOrders } from '../../../test/support/orders/live-orders.js';
import { wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { startTasks } from '../../../test/support/open-tasks.js';
import { until } from '../../../test/support/until.js';

// One test checks the speed. The others also pass on a busy machine.
const SOON = { withinMs: 10_000 };
const IMPORTED = { listing_count: 7, average_price: 50, lowest_price: 40, highest_price: null };
const NOTHING = { listing_count: 0, average_price: null, lowest_price: null, highest_price: null };

let api: TestApi;
let leader: FeedLeader;
let work: { stop(): Promise<unknown> };
let lastId = 5_000;
/** A new event for each test. */
let id: number;

beforeAll(async () => {
  api = await startTestApi();
  const connection = connectionConfig({ databaseUrl: api.databaseUrl, applicationName: 'test' });
  leader = new FeedLeader({ connection, clock: new SystemClock(), onMoved: () => undefined, onError: () => undefined });
  leader.start();
  start();
});
afterAll(async () => {
  await work.stop();
  await leader.stop();
  await api.close();
});

function start(): void {
  const settings = parseSettings({ ...apiEnvironment(api.databaseUrl), POPULARITY_EVERY_MS: '100' });
  const [{ pool }, clock] = [api, new SystemClock()];
  const refresh = new CatalogueRefresh(new Popularity(pool, clock, settings), new Catalogue(pool, clock));
  work = startTasks(CATALOGUE_TASKS, settings, [new StockStats(pool), refresh, new BoughtTogether(pool, clock)]);
}

beforeEach(async () => {
  id = lastId += 1;
  await api.staff.send('PUT', `catalogue/events/${id}`, eventLine(id, { stats: IMPORTED, score: 0.25 }));
});

type Shown = { stats: object; score: number };
const shown = async (event = id) => (await api.staff.get(`catalogue/events/${event}`)).body as Shown;
const stats = async (event = id) => (await shown(event)).stats;

async function untilStats(expected: object, event = id): Promise<void> {
  await until(async () => JSON.stringify(await stats(event)) === JSON.stringify(expected), SOON).catch(async () => {
    expect(await stats(event)).toEqual(expected);
  });
}

const putListing = (listing: string, change: object = {}, event = id) =>
  api.staff.putListing(`${event}-${listing}`, { event_id: String(event), quantity: 4, split_rule: 'any', ...change });

async function buy(listing: string, quantity: number): Promise<string> {
  const body = wholesaleBody();
  const { wholesale_price: price } = (await api.staff.get(`listings/${id}-${listing}`)).body as {
    wholesale_price: number;
  };
  Object.assign(body, { ref_id: `${id}-${listing}-${quantity}-${Math.random()}` });
  Object.assign(body.product, {
    event_id: String(id),
    listing_id: `${id}-${listing}`,
    quantity,
    total: price * quantity,
  });
  return api.wholesale.bought(body);
}

describe('the stats of an event', () => {
  it('are the imported ones until it has its first listing', async () => {
    expect(await stats()).toEqual(IMPORTED);
    await putListing('a', { price: 120.5 });
    await untilStats({ listing_count: 1, average_price: 120.5, lowest_price: 120.5, highest_price: 120.5 });
    await api.staff.send('PUT', `catalogue/events/${id}`, eventLine(id, { stats: IMPORTED, title: 'Again' }));
    expect(await stats()).toMatchObject({ listing_count: 1 });
  });

  it('follow listings, purchases and returned tickets', async () => {
    await putListing('a', { price: 100 });
    await putListing('b', { price: 10.01 });
    await putListing('c', { price: 20 });
    await untilStats({ listing_count: 3, average_price: 43.34, lowest_price: 10.01, highest_price: 100 });
    const order = await buy('b', 4);
    await untilStats({ listing_count: 2, average_price: 60, lowest_price: 20, highest_price: 100 });
    await api.staff.send('DELETE', `listings/${id}-a`);
    await untilStats({ listing_count: 1, average_price: 20, lowest_price: 20, highest_price: 20 });
    await api.staff.changeStatus(order, 3004);
    await untilStats({ listing_count: 2, average_price: 15.01, lowest_price: 10.01, highest_price: 20 });
    await buy('c', 2);
    await putListing('c', { quantity: 0 });
    await untilStats({ listing_count: 1, average_price: 10.01, lowest_price: 10.01, highest_price: 10.01 });
    await buy('b', 4);
    await untilStats(NOTHING);
  });

  it('are updated within a second', async () => {
    const waits: number[] = [];
    for (let price = 1; price <= 7; price += 1) {
      await putListing('a', { price });
      const began = performance.now();
      await untilStats({ listing_count: 1, average_price: price, lowest_price: price, highest_price: price });
      waits.push(performance.now() - began);
    }
    // The median, because a busy machine stalls now and then.
    expect(waits.toSorted((one, other) => one - other)[3]).toBeLessThan(1_000);
  });

  it('move with a listing from one event to another', async () => {
    const other = (lastId += 1);
    await api.staff.send('PUT', `catalogue/events/${other}`, eventLine(other));
    await putListing('a', { price: 5 });
    await untilStats({ listing_count: 1, average_price: 5, lowest_price: 5, highest_price: 5 });
    await putListing('a', { price: 5, event_id: String(other) });
    await untilStats(NOTHING);
    await untilStats({ listing_count: 1, average_price: 5, lowest_price: 5, highest_price: 5 }, other);
  });

  it('include listings that existed before the event', async () => {
    const later = (lastId += 1);
    await putListing('a', { price: 5 }, later);
    await until(async () => (await api.pool.query('select from discovery_changed_stock')).rowCount === 0, SOON);
    await api.staff.send('PUT', `catalogue/events/${later}`, eventLine(later, { stats: IMPORTED }));
    await untilStats({ listing_count: 1, average_price: 5, lowest_price: 5, highest_price: 5 }, later);
  });

  it('catch up with changes while no worker ran', async () => {
    await putListing('a', { price: 5 });
    await untilStats({ listing_count: 1, average_price: 5, lowest_price: 5, highest_price: 5 });
    await work.stop();
    await buy('a', 4);
    // A purchase does nothing more for the stats, because it is found in the feed.
    expect((await api.pool.query('select from discovery_changed_stock')).rowCount).toBe(0);
    await putListing('b', { price: 7 });
    start();
    await untilStats({ listing_count: 1, average_price: 7, lowest_price: 7, highest_price: 7 });
  });

  it('are the same after a recomputation, and agree with the listings after any history', async () => {
    const orders = new LiveOrders(api.pool, new SeededRandomness(7));
    await orders.live(150);
    const { rows: listed } = await api.pool.query<{ event_id: string }>('select distinct event_id from listings');
    for (const { event_id: event } of listed)
      await api.staff.send('PUT', `catalogue/events/${event}`, eventLine(Number(event)));
    await orders.live(150);
    const isConsistent = async () =>
      (await api.pool.query<{ is_consistent: boolean }>(IS_CONSISTENT)).rows[0]?.is_consistent === true;
    await until(isConsistent, SOON);
    await api.pool.query('update discovery_events set listing_count = 77 where stats_from_stock');
    expect(await isConsistent()).toBe(false);
    await new StockStats(api.pool).rebuild();
    expect(await isConsistent()).toBe(true);
  });
});

describe('performers bought together', () => {
  it("are found from the orders of one buyer, until the buyer's data is erased", async () => {
    const [one, other] = [id, (lastId += 1)];
    for (const event of [one, other]) {
      const performers = [performerLine(event)];
      await api.staff.send('PUT', `catalogue/events/${event}`, eventLine(event, { performers }));
      await putListing('a', { price: 5 }, event);
    }
    await buy('a', 1);
    id = other;
    const order = await buy('a', 1);
    const pairs = async () => {
      const { rows } = await api.pool.query<{ other_id: number }>(
        'select other_id from discovery_performer_affinity where performer_id = $1',
        [one],
      );
      return rows.map(({ other_id: performer }) => performer);
    };
    await until(async () => (await pairs()).includes(other), SOON);
    expect((await api.staff.send('DELETE', `orders/${order}/personal-data`)).status).toBeLessThan(300);
    await until(async () => !(await pairs()).includes(other), SOON);
  });
});

const IS_CONSISTENT = `
  select bool_and((e.listing_count, e.lowest_price, e.highest_price) is not distinct from
    (coalesce(l.n, 0), l.low, l.high)) as is_consistent
  from discovery_events as e left join (
    select event_id, count(*) as n, min((terms ->> 'priceCents')::int) / 100.0::float8 as low,
      max((terms ->> 'priceCents')::int) / 100.0::float8 as high
    from listings where available > 0 and withdrawn_at is null group by event_id
  ) as l on l.event_id = e.id::text
  where exists (select from listings where listings.event_id = e.id::text)`;
