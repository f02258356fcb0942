import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Popularity } from '#discovery/popularity';
import { StockStats } from '#discovery/stock-stats';
import { MailFactsReader } from '#fulfilment/mail/mail-facts';
import { WorkItems } from '#desk/queues/work-items';
import { SystemClock } from '#base/clock';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { codesOf } from '../../../test/support/callers.js';
import { eventLine, performerLine, venueLine } from '../../../test/support/discovery/catalogue-lines.js';
import { moveSomeToFeed } from '../../../test/support/orders/tampering.js';
import { cardBody } from '../../../test/support/purchase-bodies.js';

const LARGEST = Number.MAX_SAFE_INTEGER;
const HOUR_MS = 3_600_000;

let api: TestApi;
let key: string;

beforeAll(async () => {
  api = await startTestApi();
  key = ((await api.staff.send('POST', 'discovery-keys', { name: 'spec' })).body as { client_id: string }).client_id;
});
afterAll(() => api.close());

const put = async (path: string, body: object) => {
  const answer = await api.staff.send('PUT', `catalogue/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
};

async function found(target: string): Promise<number[]> {
  const answer = await fetch(`${api.url}/2/${target}${target.includes('?') ? '&' : '?'}client_id=${key}`);
  const body = (await answer.json()) as Record<string, { id: number }[]>;
  return (body[target.split('?')[0] ?? ''] ?? []).map(({ id }) => id);
}

const page = async (path: string) => (await fetch(`${api.url}/${path}`)).status;

describe.each([999_999_999, 1_000_000_000, 2_147_483_647, 2_147_483_648, 4_294_967_297, 10 ** 15, LARGEST])(
  'a document with the id %i',
  (id) => {
    const start = new Date(Date.now() + 240 * HOUR_MS).toISOString().slice(0, 19);
    const kind = { id, name: `kind ${id}`, parent_id: null };
    const performer = performerLine(id, { taxonomies: [kind], genres: [{ id, name: `Genre ${id}`, primary: true }] });
    const event = eventLine(id, {
      datetime_local: start,
      datetime_utc: start,
      venue: venueLine(id),
      performers: [{ ...performer, primary: true }],
      taxonomies: [kind],
    });
    beforeAll(() => put(`events/${id}`, event));

    it('is stored with all documents in it, and found by each of their ids', async () => {
      for (const one of ['taxonomies', 'genres', 'venues', 'performers', 'events']) {
        expect((await api.staff.get(`catalogue/${one}/${id}`)).body).toMatchObject({ id });
      }
      for (const query of [`id=${id}`, `performers.id=${id}`, `performers[primary].id=${id}`, `venue.id=${id}`]) {
        expect(await found(`events?${query}`), query).toEqual([id]);
      }
      expect(await found(`events?taxonomies.id=${id}`)).toEqual([id]);
      expect(await found(`performers?id=${id}`)).toEqual([id]);
      expect(await found(`venues?id=${id}`)).toEqual([id]);
      expect(await page(`2/events/${id}?client_id=${key}`)).toBe(200);
      expect(await Promise.all([`e/${id}`, `e/some-words-${id}`, `v/venue-${id}`, `p/${id}`].map(page))).toEqual([
        200, 200, 200, 200,
      ]);
      await put(`venues/${id}`, { ...venueLine(id), name: 'Renamed' });
      expect((await api.staff.get(`catalogue/events/${id}`)).body).toMatchObject({ venue: { id, name: 'Renamed' } });
    });

    it('has its listings, orders and clocks, and its title in reports and e-mails', async () => {
      await api.staff.putListing(`of-${id}`, { event_id: String(id), quantity: 20 });
      const body = cardBody();
      const product = { ...body.product, listing_id: `of-${id}`, event_id: String(id) };
      const order = await api.payment.bought({ ...body, ref_id: `large-${id}`, product });

      const title = `Event ${id}`;
      expect((await api.staff.get(`events/${id}`)).body).toMatchObject({
        id: String(id),
        title,
        listings: 1,
        orders: 1,
      });
      expect((await api.staff.get(`events/names?ids=${id}`)).body).toMatchObject({ events: [{ title }] });
      const { body: report } = await api.staff.get('reports/orders?by=event');
      expect((report as { rows: object[] }).rows).toContainEqual(
        expect.objectContaining({ event_id: String(id), name: title }),
      );
      expect((await api.app.get(MailFactsReader).of(order, { kind: 'confirmation' }))?.facts).toMatchObject({
        event: title,
      });

      await moveSomeToFeed(api.pool);
      await moveSomeToFeed(api.pool);
      while (await api.app.get(WorkItems).step());
      const { rows } = await api.pool.query('select due_at from work_items where order_id = $1', [order]);
      expect(rows).toEqual([{ due_at: expect.any(Date) as Date }]);

      await new StockStats(api.pool).step();
      await new Popularity(api.pool, new SystemClock(), { POPULARITY_DAYS: 30 }).refresh();
      const { rows: events } = await api.pool.query(
        'select stats_from_stock, score > 0 as sold from discovery_events where id = $1',
        [id],
      );
      expect(events).toEqual([{ stats_from_stock: true, sold: true }]);
    });
  },
);

describe('an id beyond 2^53 - 1', () => {
  it('is refused in the catalogue, finds nothing in discovery, and is any text in a listing', async () => {
    const beyond = '9007199254740993';
    expect(codesOf(await api.staff.send('PUT', `catalogue/events/${beyond}`, eventLine(1)))).toEqual([40001]);
    expect(await found(`events?id=${beyond}`)).toEqual([]);
    expect(await page(`e/${beyond}`)).toBe(404);
    await api.staff.putListing('beyond', { event_id: beyond, quantity: 2 });
    await new StockStats(api.pool).step();
    expect((await api.staff.get(`events/${beyond}`)).body).toMatchObject({ id: beyond, title: null, listings: 1 });
  });

  it('leaves the order of ids as it is', async () => {
    const ids = await found('events?sort=id.desc&per_page=50');
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(ids[0]).toBe(LARGEST);
  });
});
