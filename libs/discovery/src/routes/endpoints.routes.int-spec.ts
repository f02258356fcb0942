import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscoveryEvent, EventsAnswer } from './event.contract.js';
import { GenresAnswer, TaxonomiesAnswer } from './kinds.contract.js';
import { DiscoveryPerformer, PerformersAnswer } from './performer.contract.js';
import { DiscoveryVenue, VenuesAnswer } from './venue.contract.js';
import { eventLine } from '../../../../test/support/discovery/catalogue-lines.js';
import { Discovery, type Document } from '../../../../test/support/discovery/discovery.js';

let discovery: Discovery;
beforeAll(async () => {
  discovery = await Discovery.start();
});
afterAll(() => discovery.close());

type Event = Document & {
  datetime_utc: string;
  datetime_local: string;
  venue: Document & { city: string; state: string | null; postal_code: string };
  performers: (Document & { slug: string; primary?: boolean; home_team?: boolean })[];
  stats: { listing_count: number | null; lowest_price: number | null };
  taxonomies: Document[];
  type: string;
};

const events = () => discovery.set.events as readonly Event[];
const byTime = (found: readonly Event[]) =>
  found
    .toSorted((a, b) => (a.datetime_utc < b.datetime_utc ? -1 : a.datetime_utc > b.datetime_utc ? 1 : a.id - b.id))
    .map(({ id }) => id);

describe('bulk answers', () => {
  it.each([
    ['events', EventsAnswer, 80],
    ['performers', PerformersAnswer, 30],
    ['venues', VenuesAnswer, 20],
    ['taxonomies', TaxonomiesAnswer, undefined],
    ['genres', GenresAnswer, undefined],
  ] as const)('%s have the fields of the specification', async (resource, schema, total) => {
    const answer = await discovery.get(`/${resource}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(Object.keys(answer.body as object)).toEqual(['meta', resource]);
    const { meta } = schema.parse(answer.body);
    expect(Object.keys(meta)).toEqual(['took', 'geolocation', 'per_page', 'total', 'page']);
    const all = discovery.set[resource].length;
    expect(meta).toMatchObject({ geolocation: null, page: 1, total: total ?? all, per_page: total ? 10 : all });
    expect((answer.body as Record<string, unknown[]>)[resource]).toHaveLength(total ? 10 : all);
  });

  it('are empty with their meta if nothing matches', async () => {
    expect((await discovery.get('/events?venue.city=Atlantis')).body).toMatchObject({ meta: { total: 0 }, events: [] });
  });

  it('come in pages without gaps or repeats', async () => {
    const expected = byTime(events());
    const walked: number[] = [];
    for (let page = 1; page <= 5; page += 1) walked.push(...(await discovery.ids(`/events?per_page=17&page=${page}`)));
    expect(walked).toEqual(expected);
    expect(await discovery.bulk('/events?page=100000000')).toMatchObject({ documents: [], meta: { total: 80 } });
  });

  it('are sorted as requested', async () => {
    expect(await discovery.ids('/events?per_page=5000&sort=id.desc')).toEqual(
      events()
        .map(({ id }) => id)
        .toSorted((a, b) => b - a),
    );
    const { documents } = await discovery.bulk('/venues?per_page=20&sort=score.asc');
    const scores = documents.map(({ score }) => Number(score));
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    const ids = await discovery.ids('/taxonomies?sort=id.desc&per_page=3&page=2');
    const all = discovery.set.taxonomies.map(({ id }) => id).toSorted((a, b) => b - a);
    expect(ids).toEqual(all.slice(3, 6));
  });
});

describe('arguments', () => {
  const found = (query: string) => discovery.ids(`/events?per_page=5000&${query}`);
  const expected = (fits: (event: Event) => boolean) => byTime(events().filter(fits));

  it.each<[string, (event: Event) => boolean]>([
    ['venue.city=new york', ({ venue }) => venue.city === 'New York'],
    ['venue.city=chicago,new%20york', ({ venue }) => ['Chicago', 'New York'].includes(venue.city)],
    ['venue.q=new%20york', ({ venue }) => venue.state === 'NY'],
    ['venue.q=new%20york&venue.id=1,2,3,4,5,6,7,8,9', ({ venue }) => venue.state === 'NY' && venue.id <= 9],
    [
      'datetime_utc.gte=2026-12-10&datetime_utc.lt=2026-12-20T12:00:00Z',
      ({ datetime_utc: at }) => {
        return at >= '2026-12-10' && at < '2026-12-20T12:00:00';
      },
    ],
    ['datetime_local.lte=2026-12-15', ({ datetime_local: at }) => at <= '2026-12-15T00:00:00'],
    ['listing_count.gt=99.5', ({ stats }) => (stats.listing_count ?? 0) > 99.5],
    ['listing_count.gt=100', ({ stats }) => (stats.listing_count ?? 0) > 100],
    ['lowest_price.lte=50', ({ stats }) => stats.lowest_price !== null && stats.lowest_price <= 50],
    ['taxonomies.name=concert', ({ taxonomies }) => taxonomies.some(({ name }) => name === 'concert')],
    ['type=concert', ({ type }) => type === 'concert'],
    ['performers.id=1,2&performers.id=3', ({ performers }) => performers.some(({ id }) => id <= 3)],
    [
      'performers%5Bprimary%5D.id=4%2C5',
      ({ performers }) => performers.some((p) => p.primary && [4, 5].includes(p.id)),
    ],
  ])('%s', async (query, fits) => {
    const ids = expected(fits);
    expect(await found(query)).toEqual(ids);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(80);
  });

  it('that are unknown are ignored', async () => {
    expect(await found('colour=red&performers[[x]].id=1&__proto__=1&venue.__proto__=2')).toHaveLength(80);
  });

  it('with slugs, places and words are passed to the catalogue', async () => {
    const [team] = events().flatMap(({ performers }) => performers.filter((performer) => performer.home_team));
    expect(await found(`performers[home_team].slug=${team?.slug}`)).toEqual(
      expected(({ performers }) => performers.some(({ home_team: home, slug }) => home && slug === team?.slug)),
    );
    const venue = discovery.set.venues.find(({ location }) => location !== null);
    const { lat, lon } = venue?.location ?? { lat: 0, lon: 0 };
    const near = await discovery.bulk(`/venues?lat=${lat}&lon=${lon}&range=1km&per_page=100`);
    expect(near.documents.map(({ id }) => id)).toContain(venue?.id);
    expect(near.meta.geolocation).toMatchObject({ lat, lon, range: '1km' });
    expect(near.meta.total).toBeLessThan(20);
    const performer = discovery.set.performers[0];
    expect((await discovery.ids(`/performers?q=${encodeURIComponent(performer?.name ?? '')}`))[0]).toBe(performer?.id);
    expect(await discovery.ids(`/performers?slug=${performer?.slug}`)).toEqual([performer?.id]);
  });

  it('are ignored next to a list of ids', async () => {
    const { documents, meta } = await discovery.bulk(
      '/events?id=5,3&id=4&venue.city=Atlantis&datetime_utc=never&per_page=2',
    );
    expect(documents).toHaveLength(2);
    expect(meta).toMatchObject({ total: 3, per_page: 2 });
    expect((await discovery.ids('/performers?id=7&slug=nobody')) && (await discovery.ids('/venues?id=7'))).toEqual([7]);
    expect((await discovery.bulk('/events?id=999999')).meta.total).toBe(0);
  });

  it.each(['2147483648', '9007199254740993', '9'.repeat(400)])('take the id %s, which nothing has', async (large) => {
    const event = events()[0] as unknown as {
      id: number;
      venue: Document;
      performers: Document[];
      taxonomies: Document[];
    };
    const [venue, performer, taxonomy] = [event.venue.id, event.performers[0]?.id, event.taxonomies[0]?.id];
    for (const query of [
      '/events?id=',
      '/performers?id=',
      '/venues?id=',
      '/events?venue.id=',
      '/events?performers.id=',
      '/events?performers[primary].id=',
      '/events?taxonomies.id=',
      '/events?taxonomies.parent_id=',
    ]) {
      expect((await discovery.bulk(`${query}${large}`)).meta.total, query).toBe(0);
    }
    for (const [query, known] of [
      ['/events?per_page=5000&id=', event.id],
      ['/events?per_page=5000&venue.id=', venue],
      ['/events?per_page=5000&performers.id=', performer],
      ['/events?per_page=5000&taxonomies.id=', taxonomy],
    ] as const) {
      const ids = await discovery.ids(`${query}${known}`);
      expect(ids).toContain(event.id);
      expect(await discovery.ids(`${query}${large},${known}`), query).toEqual(ids);
    }
    const near = 'lat=40.7&lon=-74&range=20000km';
    for (const seed of [
      `events.id=${large}`,
      `performers.id=${large}`,
      `performers.id=${performer}&venue.id=${large}`,
    ]) {
      expect((await discovery.bulk(`/recommendations?${seed}&${near}`)).meta.total, seed).toBe(0);
    }
    const one = await discovery.bulk(`/recommendations?performers.id=${performer}&${near}`);
    expect((await discovery.bulk(`/recommendations?performers.id=${performer},${large}&${near}`)).meta.total).toBe(
      one.meta.total,
    );
    expect((await discovery.get(`/events/${large}`)).status).toBe(404);
  });

  it('that are invalid are all named together', async () => {
    const answer = await discovery.get('/events?per_page=5001&sort=price.asc&lat=5&datetime_utc.gt=soon&q=%00');
    expect(answer.status).toBe(400);
    const body = answer.body as { errors: { code: number; message: string }[]; message: string; status: number };
    expect(Object.keys(body)).toEqual(['errors', 'message', 'status', 'meta']);
    expect(body).toMatchObject({ status: 400, meta: { status: 400 } });
    const named = body.errors.map(({ code, message }) => [code, message.split(':', 1)[0]]);
    expect(named).toEqual(['per_page', 'sort', 'datetime_utc.gt', 'q', 'lon'].map((name) => [40001, name]));
    expect(body.message).toBe(body.errors.map(({ message }) => message).join('; '));
  });
});

describe('past events', () => {
  const over = {
    datetime_local: '2020-01-01T19:30:00',
    datetime_utc: '2020-01-02T00:30:00',
    visible_until: '2020-01-02',
  };
  const toCome = {
    datetime_local: '2099-01-01T19:30:00',
    datetime_utc: '2099-01-02T00:30:00',
    visible_until: '2099-01-02',
  };

  it('are left out of lists if they are hidden, and can be read by id', async () => {
    const hiding = await Discovery.start({ DISCOVERY_PAST_EVENTS: 'hide' });
    try {
      for (const api of [hiding, discovery]) await api.write('events', [eventLine(901, over), eventLine(902, toCome)]);
      for (const query of ['id=901,902', 'q=event&venue.id=1&sort=id.asc', 'datetime_utc.lt=2021-01-01']) {
        const ids = (await hiding.ids(`/events?per_page=5000&${query}`)).filter((id) => id > 900);
        expect(ids, query).toEqual(query.startsWith('datetime') ? [] : [902]);
        expect(await discovery.ids(`/events?per_page=5000&${query}`), query).toContain(901);
      }
      expect((await hiding.get('/events/901')).status).toBe(200);
    } finally {
      await hiding.close();
    }
  });
});

describe('single answers', () => {
  it.each([
    ['events', DiscoveryEvent],
    ['performers', DiscoveryPerformer],
    ['venues', DiscoveryVenue],
  ] as const)('of %s are the document of the bulk answer', async (resource, schema) => {
    const { documents } = await discovery.bulk(`/${resource}?id=3`);
    const answer = await discovery.get(`/${resource}/3`);
    expect(schema.parse(answer.body).id).toBe(3);
    expect(answer.body).toEqual(documents[0]);
    expect((await discovery.get(`/${resource}/3/`)).text).toBe(answer.text);
  });

  it.each(['0', '999999', '99999999999', 'x', '-1', '1.5', '3%20', '3%00', "3'"])(
    'are not there for %s',
    async (id) => {
      const answer = await discovery.get(`/events/${id}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.body).toMatchObject({ errors: [{ message: expect.any(String) as string }], status: answer.status });
    },
  );
});

describe('paths', () => {
  it('may end with a slash', async () => {
    for (const resource of ['events', 'performers', 'venues', 'taxonomies', 'genres']) {
      expect(await discovery.ids(`/${resource}/?per_page=3`)).toEqual(await discovery.ids(`/${resource}?per_page=3`));
    }
  });

  it('of other versions and resources do not exist', async () => {
    for (const path of ['/nothing', '/events/1/2', '/Events', '']) {
      expect(await discovery.get(path), path).toMatchObject({
        status: 404,
        body: { status: 404, errors: [{ code: 40400 }] },
      });
    }
    const other = await fetch(`${discovery.api.url}/1/events`);
    expect(other.status).toBe(404);
    for (const strict of ['/health/live/', '/backoffice/v1/orders/']) {
      expect((await fetch(`${discovery.api.url}${strict}`)).status, strict).toBe(404);
    }
  });
});
