import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalogue } from '#discovery/catalogue';
import { CATALOGUE_LINES } from '#discovery/catalogue.contract';
import type { ShowList, ShowNames } from '../show-list.contract.js';
import { SystemClock } from '#base/clock';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const DAY_MS = 86_400_000;
const VENUE = { id: 1, name: 'Pier Nine Hall', city: 'Boston', state: 'MA', country: 'US' };

let api: TestApi;

const local = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19);

const show = (id: number, title: string, days: number) => {
  const times = { datetime_local: local(days), datetime_utc: local(days) };
  return { id, title, type: 'concert', ...times, venue: VENUE, performers: [{ id, name: title }] };
};

beforeAll(async () => {
  api = await startTestApi();
  const shows = [
    show(5_512, 'Moth Light', 3),
    show(5, 'Tin Lanterns', 1),
    show(7, '100% Brass_Band', 9),
    show(9, 'Old Owls', -5),
  ];
  const lines = shows.map((line) => CATALOGUE_LINES.events.parse(line));
  expect(await new Catalogue(api.pool, new SystemClock()).write('events', lines)).toEqual([]);
  await api.staff.putListing('front-1', { quantity: 10, price: 80, seller: 'Front Row' });
  await api.staff.putListing('back-1', { quantity: 5, price: 60, seller: 'Back Row' });
  for (const [at, listing_id] of ['front-1', 'front-1', 'back-1'].entries()) {
    const { product, ...rest } = wholesaleBody();
    const id = await api.wholesale.bought({ ...rest, ref_id: `event-${at}`, product: { ...product, listing_id } });
    if (at === 1) await api.staff.send('POST', `orders/${id}/status`, { status_code: 3004 });
  }
});
afterAll(() => api.close());

async function titles(query: string): Promise<(string | null)[]> {
  const { body, status, text } = await api.staff.get(`events?${query}`);
  expect(status, text).toBe(200);
  return (body as ShowList).events.map(({ title }) => title);
}

describe('GET /backoffice/v1/events', () => {
  it('lists upcoming shows earliest first, and past shows latest first', async () => {
    expect(await titles('')).toEqual(['Tin Lanterns', 'Moth Light', '100% Brass_Band']);
    expect(await titles('when=past')).toEqual(['Old Owls']);
    expect(await titles('when=all')).toEqual(['Old Owls', 'Tin Lanterns', 'Moth Light', '100% Brass_Band']);
  });

  it('names several shows at once', async () => {
    const { body, status } = await api.staff.get('events/names?ids=5512,9,77,front%20row,5512');
    expect(status).toBe(200);
    const { events } = body as ShowNames;
    expect(events.map(({ title }) => title).toSorted()).toEqual(['Moth Light', 'Old Owls']);
    expect(events.find(({ id }) => id === '9')).toEqual({
      id: '9',
      title: 'Old Owls',
      datetime_local: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string,
      venue: VENUE.name,
    });
    expect((await api.staff.get('events/names')).body).toEqual({ events: [] });
    const many = Array.from({ length: 51 }, (_, id) => id + 1).join(',');
    expect(codesOf(await api.staff.get(`events/names?ids=${many}`))).toEqual([40001]);
  });

  it('finds by parts of title, venue and city, and by id', async () => {
    expect(await titles('q=LANTERN')).toEqual(['Tin Lanterns']);
    expect(await titles('q=pier%20nine')).toHaveLength(3);
    expect(await titles('q=bosto')).toHaveLength(3);
    expect(await titles('q=5512')).toEqual(['Moth Light']);
    expect(await titles('q=%25')).toEqual(['100% Brass_Band']);
    expect(await titles('q=h_B')).toEqual([]);
  });

  it('gives every show once, page by page', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await api.staff.get(`events?when=all&limit=2${cursor}`);
      const { events, next_cursor: next } = body as ShowList;
      seen.push(...events.map(({ id }) => id));
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    expect(seen).toEqual(['9', '5', '5512', '7']);
    for (const cursor of ['nonsense', Buffer.from('["x",1]').toString('base64url')]) {
      expect(codesOf(await api.staff.get(`events?cursor=${cursor}`))).toEqual([40001]);
    }
  });

  it('counts what is for sale and what was sold', async () => {
    const { body } = await api.staff.get('events?q=5512');
    const [found] = (body as ShowList).events;
    const sold = { orders: 3, tickets_sold: 4, sales: expect.any(Number) as number };
    expect(found).toMatchObject({ id: '5512', listings: 2, tickets_left: 11, lowest_price: 60, ...sold });
    expect(found?.venue).toEqual({ name: 'Pier Nine Hall', city: 'Boston', state: 'MA' });
    const one = await api.staff.get('events/5512');
    expect(one.body).toMatchObject({ ...found, statuses: { confirmed: 2, rejected: 1 } });
  });

  it('counts for brokers only what their own sellers offer and sold', async () => {
    const { send } = await signIn(api, ['broker'], ['Back Row']);
    const { body } = await send('GET', 'events?q=5512');
    expect((body as ShowList).events).toMatchObject([{ listings: 1, tickets_left: 3, lowest_price: 60, orders: 1 }]);
    expect((await send('GET', 'events/5512')).body).toMatchObject({ orders: 1, statuses: { confirmed: 1 } });
  });
});

describe('GET /backoffice/v1/events/{event_id}', () => {
  it('knows shows that only listings name, and no others', async () => {
    await api.staff.putListing('odd-1', { event_id: 'no number', quantity: 3 });
    const odd = await api.staff.get('events/no%20number');
    expect(odd.body).toMatchObject({ id: 'no number', title: null, venue: null, listings: 1, tickets_left: 3 });
    for (const id of ['4711', '99999999999', 'nope']) {
      expect(codesOf(await api.staff.get(`events/${id}`))).toEqual([40400]);
    }
  });
});
