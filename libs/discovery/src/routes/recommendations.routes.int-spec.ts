import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Geocoder } from '../search/query/place.js';
import { RecommendationsAnswer } from './event.contract.js';
import { eventLine, performerLine, venueLine } from '../../../../test/support/discovery/catalogue-lines.js';
import { Discovery, DISCOVERY_KEY } from '../../../../test/support/discovery/discovery.js';
import { elementsOf, parseXml } from '../../../../test/support/discovery/strict-xml.js';
import type { Json } from './xml-text.js';

let discovery: Discovery;

const OLD = { datetime_utc: '2020-12-02T00:30:00', datetime_local: '2020-12-01T19:30:00', visible_until: '2020-12-03' };

beforeAll(async () => {
  discovery = await Discovery.start();
  const [seed, other] = [performerLine(901), performerLine(902)];
  const [hall, club] = [venueLine(901), venueLine(902, { location: { lat: 40.9, lon: -73.9934 }, name: 'The Club' })];
  await discovery.write('events', [
    eventLine(901, { performers: [seed], venue: hall, url: 'https://tickets.example/e' }),
    eventLine(902, { performers: [seed, other], venue: club }),
    eventLine(903, { performers: [other], venue: hall }),
    eventLine(904, { performers: [seed], venue: hall, ...OLD }),
  ]);
});
afterAll(() => discovery.close());
afterEach(() => {
  vi.restoreAllMocks();
});

type Entry = { score: number; event: { id: number; datetime_utc: string } };
const FAR = 'lat=40.7505&lon=-73.9934&range=9000mi';
const HERE = 'lat=40.7505&lon=-73.9934&range=20mi';

async function recommended(query: string): Promise<Entry[]> {
  return (await discovery.bulk(`/recommendations?per_page=5000&${query}`)).documents as unknown as Entry[];
}

/** Of the events of this file only. */
async function ids(query: string): Promise<number[]> {
  return (await recommended(query)).map(({ event }) => event.id).filter((id) => id > 900);
}

describe('recommendations', () => {
  it('have the fields of the specification, and the whole event', async () => {
    const { body } = await discovery.get(`/recommendations?performers.id=901&${HERE}`);
    const { meta, recommendations } = RecommendationsAnswer.parse(body);
    expect(Object.keys(body as object)).toEqual(['meta', 'recommendations']);
    expect(meta).toMatchObject({ page: 1, per_page: 10, geolocation: { lat: 40.7505, lon: -73.9934, range: '20mi' } });
    expect(Object.keys(recommendations[0] ?? {})).toEqual(['score', 'event']);
    expect(recommendations[0]?.event).toEqual((await discovery.get('/events/901')).body);
  });

  it('are sorted by descending score and then by id, without the seed event', async () => {
    const entries = await recommended(`performers.id=901&${HERE}`);
    expect(entries).toEqual(entries.toSorted((a, b) => b.score - a.score || a.event.id - b.event.id));
    expect(entries.every(({ score }) => score > 0 && score <= 1)).toBe(true);
    expect(await ids(`performers.id=901&${HERE}`)).toEqual([901, 904, 902, 903]);
    expect(await ids(`events.id=901&${HERE}`)).toEqual([904, 902, 903]);
  });

  it('come in pages without gaps or repeats', async () => {
    const all = (await recommended(`performers.id=901&${FAR}`)).map(({ event }) => event.id);
    const walked: number[] = [];
    for (let page = 1; walked.length < all.length && page < 50; page += 1) {
      const target = `/recommendations?performers.id=901&${FAR}&per_page=7&page=${page}`;
      const { documents, meta } = await discovery.bulk(target);
      expect(meta).toMatchObject({ page, per_page: 7, total: all.length });
      walked.push(...(documents as unknown as Entry[]).map(({ event }) => event.id));
    }
    expect(all.length).toBeGreaterThan(20);
    expect(walked).toEqual(all);
  });

  it.each([
    ['venue.id=902', [902]],
    ['venue.id=901,902&datetime_utc.gte=2026-01-01', [901, 902, 903]],
    ['venue.slug=the-club', [902]],
    ['taxonomies.id=2000000', [901, 904, 902, 903]],
    ['taxonomies.name=concert', [901, 904, 902, 903]],
    ['taxonomies.name=Sports', []],
    ['datetime_utc.gt=2026-12-02T00:30:00', []],
    ['datetime_utc.gte=2026-12-02T00:30:00', [901, 902, 903]],
    ['datetime_local.lt=2021-01-01', [904]],
    ['datetime_local.lte=2026-12-01T19:30:00&datetime_local.gt=2026-11-01', [901, 902, 903]],
    ['venue.city=Nowhere&unknown=1', [901, 904, 902, 903]],
    ['range=5km', [901, 904, 903]],
  ])('are restricted by %s', async (query, expected) => {
    const range = query.startsWith('range') ? '' : '&range=20mi';
    expect(await ids(`performers.id=901&lat=40.7505&lon=-73.9934${range}&${query}`)).toEqual(expected);
  });

  it('reach 200 miles by default, around a postal code, a point or the caller', async () => {
    const { meta } = await discovery.bulk('/recommendations?performers.id=901&postal_code=10001');
    expect(meta.geolocation).toMatchObject({ range: '200mi', postal_code: '10001' });
    expect(await ids('performers.id=901&geoip=10001&range=30km')).toEqual([901, 904, 902, 903]);
    const place = { lat: 40.7505, lon: -73.9934, city: null, state: null, country: null, postal_code: null, display_name: null }; // prettier-ignore
    vi.spyOn(discovery.api.app.get(Geocoder), 'byIp').mockResolvedValue(place);
    expect(await ids('performers.id=901&geoip=true')).toEqual([901, 904, 902, 903]);
    const answer = await discovery.get('/recommendations?performers.id=901&geoip=true');
    expect(answer.headers.get('cache-control')).toMatch(/^private/);
  });

  it('are empty near an address without a known place', async () => {
    for (const geoip of ['true', '192.0.2.1', '2001:db8::1']) {
      const { status, body } = await discovery.get(
        `/recommendations?performers.id=901&geoip=${geoip}&page=2&per_page=3`,
      );
      const meta = { took: expect.any(Number) as number, geolocation: null, per_page: 3, total: 0, page: 2 };
      expect([status, body]).toEqual([200, { meta, recommendations: [] }]);
    }
  });

  it('are empty for an unknown seed', async () => {
    for (const seed of ['performers.id=999999', 'events.id=999999']) {
      expect((await discovery.get(`/recommendations?${seed}&${HERE}`)).body).toMatchObject({
        meta: { total: 0, geolocation: { range: '20mi' } },
        recommendations: [],
      });
    }
  });

  it('leave out past events if these are hidden', async () => {
    const hiding = await Discovery.start({ DISCOVERY_PAST_EVENTS: 'hide' });
    try {
      await hiding.write('events', [eventLine(904, { performers: [performerLine(901)], ...OLD })]);
      const target = `/recommendations?per_page=5000&performers.id=901&${HERE}`;
      const { documents } = await hiding.bulk(target);
      expect((documents as unknown as Entry[]).map(({ event }) => event.id)).not.toContain(904);
      expect(await ids(`performers.id=901&${HERE}`)).toContain(904);
    } finally {
      await hiding.close();
    }
  });
});

describe('an invalid request', () => {
  it.each([
    [HERE, ['performers.id']],
    ['', ['performers.id', 'geoip']],
    ['performers.id=901', ['geoip']],
    ['performers.id=901&range=20mi', ['geoip']],
    ['performers.id=901&lat=40', ['lon']],
    ['performers.id=901&lon=40', ['lat']],
    ['performers.id=901&lat=91&lon=0', ['lat']],
    ['performers.id=901&geoip=false', ['geoip']],
    ['performers.id=901&geoip=nowhere', ['geoip']],
    ['performers.id=901&geoip=00000', ['geoip']],
    ['performers.id=901&geoip=false&postal_code=00000', ['postal_code']],
    ['performers.id=901&postal_code=00000', ['postal_code']],
    ['performers.id=901&postal_code=x', ['postal_code']],
    [`performers.id=x&${HERE}`, ['performers.id']],
    [`performers.id=&${HERE}`, ['performers.id']],
    [`events.id=1,2&${HERE}`, ['events.id']],
    [`events.id=1&performers.id=2&${HERE}`, ['events.id']],
    [`performers.id=901&${HERE}&range=far`, undefined],
    ['performers.id=901&lat=1&lon=1&range=far', ['range']],
    [`performers.id=901&${HERE}&datetime_utc.gt=soon`, ['datetime_utc.gt']],
    [`performers.id=901&${HERE}&venue.id=x`, ['venue.id']],
    [`performers.id=901&${HERE}&taxonomies.id=x`, ['taxonomies.id']],
    [`performers.id=901&${HERE}&per_page=0`, ['per_page']],
    [`performers.id=901&${HERE}&per_page=5001`, ['per_page']],
    [`performers.id=901&${HERE}&page=0`, ['page']],
    [`performers.id=901&${HERE}&sort=evil`, ['sort']],
    [`performers.id=901&${HERE}&format=yaml`, ['format']],
    [`performers.id=901&${HERE}&callback=a(b)`, ['callback']],
  ])('%s', async (query, names) => {
    const { status, body } = await discovery.get(`/recommendations?${query}`);
    if (!names) return expect(status).toBe(200);
    expect(status).toBe(400);
    const { errors } = body as { errors: { code: number; message: string }[] };
    expect(errors.map(({ message }) => message.split(':')[0])).toEqual(names);
    expect(body).toMatchObject({ status: 400, meta: { status: 400 }, message: expect.any(String) as string });
    return undefined;
  });

  it('is rejected without a key', async () => {
    expect((await discovery.raw(`/recommendations?performers.id=901&${HERE}`)).status).toBe(403);
    const withKey = `/recommendations/?performers.id=901&${HERE}&client_id=${DISCOVERY_KEY}`;
    expect((await discovery.raw(withKey)).status).toBe(200);
  });
});

describe('formats', () => {
  const target = `/recommendations?performers.id=901&${HERE}`;

  it('XML has the content of JSON', async () => {
    const json = await discovery.get(target);
    const xml = await discovery.get(`${target}&format=xml`);
    expect(xml.headers.get('content-type')).toMatch('application/xml');
    const withoutTook = (text: string) => text.replace(/"took":\d+/, '"took":0').replace(/<took>\d+</, '<took>0<');
    expect([parseXml(withoutTook(xml.text))]).toEqual(
      elementsOf('response', JSON.parse(withoutTook(json.text)) as Json),
    );
  });

  it('JSONP wraps the answer, and a partner is on every url', async () => {
    const { text, headers } = await discovery.get(`${target}&callback=show&aid=42&rid=7`);
    expect(headers.get('content-type')).toMatch('application/javascript');
    expect(text).toMatch(/^(\/\*\*\/)?\s*show\(\{"meta":.*\}\);?\s*$/s);
    expect(text).toContain('"https://tickets.example/e?aid=42&rid=7"');
  });

  it('an unchanged answer is not sent again', async () => {
    const first = await discovery.get(target);
    const tag = first.headers.get('etag') ?? '';
    expect((await discovery.get(target, { 'if-none-match': tag })).status).toBe(304);
  });
});
