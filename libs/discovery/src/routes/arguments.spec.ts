import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Argument, parametersOf } from './argument.js';
import { ArgumentReader } from './argument-reader.js';
import { instantOf } from './date-argument.js';
import { postalCodeOf, rangeOf, PLACE } from './place-arguments.js';
import { PRESENTATION } from './presentation.js';
import { parseQuery } from './query-string.js';
import { RECOMMENDATIONS } from './recommendation-arguments.js';
import { EVENT_SEARCH, PERFORMER_SEARCH, VENUE_SEARCH } from './searches.js';

const DEFAULTS = { page: 1, perPage: 10 };

function read<T>(how: (args: ArgumentReader) => T, query: string): T | string[] {
  const args = new ArgumentReader(parseQuery(`/x?${query}`));
  const found = how(args);
  return args.issues.length > 0 ? args.issues.map(({ argument }) => argument) : found;
}

const given = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('arguments of events', () => {
  it.each<[string, object]>([
    ['', {}],
    ['colour=red&__proto__=1&constructor.name=2&performers[[any]].id=1&performers=1&performers.name=x', {}],
    ['page=3&per_page=5000&sort=score.desc', { page: 3, perPage: 5000, sort: { field: 'score', direction: 'desc' } }],
    [
      'performers.id=1,2&performers.id=3&performers[home_team].slug=New-York-Mets',
      {
        performers: [
          { specificity: 'any', ids: [1, 2, 3] },
          { specificity: 'home_team', slug: 'new-york-mets' },
        ],
      },
    ],
    [
      'performers[any].slug=a&performers[any].slug=b,a&performers%5Bprimary%5D.id=9',
      {
        performers: [
          { specificity: 'any', slug: 'a' },
          { specificity: 'any', slug: 'b' },
          { specificity: 'primary', ids: [9] },
        ],
      },
    ],
    [
      'venue.state=NY,nj&venue.city=Washington, DC&venue.id=4,&venue.country=us&venue.postal_code=10001',
      {
        venue: {
          ids: [4],
          cities: ['Washington, DC', 'Washington', 'DC'],
          states: ['NY', 'nj'],
          countries: ['us'],
          postalCodes: ['10001'],
        },
      },
    ],
    [
      'datetime_utc.gte=2026-07-04&datetime_utc.lt=2026-07-05T12:00:00.5-04:00',
      {
        datetimeUtc: [
          { operator: 'gte', at: Date.UTC(2026, 6, 4) },
          { operator: 'lt', at: Date.UTC(2026, 6, 5, 16, 0, 0, 500) },
        ],
      },
    ],
    [
      'datetime_local=2026-07-04T19:30:00%2B02:00',
      { datetimeLocal: [{ operator: 'eq', at: Date.UTC(2026, 6, 4, 19, 30) }] },
    ],
    [
      'taxonomies.name=MLB&taxonomies.name=nba,nhl&taxonomies.parent_id=1000000',
      { taxonomies: { names: ['mlb', 'nba', 'nhl'], parentIds: [1_000_000] } },
    ],
    [
      'listing_count.gt=0&lowest_price.lte=49.50&highest_price=100',
      {
        numbers: [
          { field: 'listing_count', operator: 'gt', value: 0 },
          { field: 'lowest_price', operator: 'lte', value: 49.5 },
          { field: 'highest_price', operator: 'eq', value: 100 },
        ],
      },
    ],
    [
      'average_price.lt=33.333333333333336&lowest_price.gte=.5',
      {
        numbers: [
          { field: 'average_price', operator: 'lt', value: 33.333333333333336 },
          { field: 'lowest_price', operator: 'gte', value: 0.5 },
        ],
      },
    ],
    ['listing_count.gte=9.5', { numbers: [{ field: 'listing_count', operator: 'gte', value: 9.5 }] }],
    [
      'venue.city=Chicago,Denver&venue.city=Salem&venue.name=Hall, The',
      {
        venue: {
          cities: ['Chicago,Denver', 'Chicago', 'Denver', 'Salem'],
          names: ['Hall, The', 'Hall', 'The'],
        },
      },
    ],
    ['venue.q=hall&venue.state=NY', { venue: { states: ['NY'], q: 'hall' } }],
    ['type=concert&q=+taylor+swift+', { types: ['concert'], q: 'taylor swift' }],
    ['q=&type=&venue.city=+&venue.state=,', {}],
    ['id=5,6&id=7&per_page=2&q=%00&datetime_utc=never&venue.id=x', { ids: [5, 6, 7], perPage: 2 }],
  ])('%s', (query, expected) => {
    expect(given(read(EVENT_SEARCH.read, query))).toEqual({ ...DEFAULTS, ...expected });
  });

  it.each([
    ['per_page=0', 'per_page'],
    ['per_page=5001', 'per_page'],
    ['per_page=', 'per_page'],
    ['per_page=1e2', 'per_page'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=99999999999999999999', 'page'],
    ['sort=price.asc', 'sort'],
    ['sort=score', 'sort'],
    ['sort=score.desc;drop', 'sort'],
    ['sort=__proto__.asc', 'sort'],
    ['id=', 'id'],
    ['id=1,x', 'id'],
    ['id=-1', 'id'],
    ['id=1.5', 'id'],
    ['performers.id=x', 'performers.id'],
    ['performers[coach].id=1', 'performers[{specificity}].id'],
    ['venue.id=1.5', 'venue.id'],
    ['datetime_utc.gt=tomorrow', 'datetime_utc.gt'],
    ['datetime_utc.gt=2026-02-30', 'datetime_utc.gt'],
    ['datetime_utc=2026-01-01&datetime_utc.gt=2026-01-01&datetime_utc.lt=2027-01-01', 'datetime_utc'],
    ['taxonomies.id=mlb', 'taxonomies.id'],
    ['listing_count.gt=few', 'listing_count.gt'],
    ['lowest_price.lte=1e3', 'lowest_price.lte'],
    ['q=%00', 'q'],
    ['q=%ff', 'q'],
    [`q=${'a'.repeat(501)}`, 'q'],
    [`id=${'1,'.repeat(5_001)}`, 'id'],
  ])('%s is rejected', (query, argument) => {
    expect(read(EVENT_SEARCH.read, query)).toEqual([argument]);
  });

  it('are all reported together', () => {
    expect(read(EVENT_SEARCH.read, 'per_page=x&sort=y&venue.id=z&q=%00')).toEqual([
      'per_page',
      'sort',
      'venue.id',
      'q',
    ]);
  });
});

describe('arguments of performers and venues', () => {
  it('are read', () => {
    expect(given(read(PERFORMER_SEARCH.read, 'slug=Mets,yankees&genres.slug=pop&genres[primary].slug=rock'))).toEqual({
      ...DEFAULTS,
      slugs: ['mets', 'yankees'],
      genres: [
        { slug: 'pop', primary: false },
        { slug: 'rock', primary: true },
      ],
    });
    expect(given(read(VENUE_SEARCH.read, 'city=Chicago&state=IL&country=US&postal_code=60613&q=wrigley'))).toEqual({
      ...DEFAULTS,
      cities: ['Chicago'],
      states: ['IL'],
      countries: ['US'],
      postalCodes: ['60613'],
      q: 'wrigley',
    });
    expect(given(read(VENUE_SEARCH.read, 'id=6&city=Chicago'))).toEqual({ ...DEFAULTS, ids: [6] });
  });
});

describe('a place', () => {
  const place = (query: string) => given(read((args) => PLACE.read(args) ?? null, query));
  const range = (metres: number, text: string) => ({ metres, text });
  const usual = range(30 * 1_609.344, '30mi');

  it.each<[string, object | null]>([
    ['', null],
    ['range=5mi', null],
    ['range=far', null],
    ['geoip=false&range=30', null],
    ['geoip=false&range=5mi', null],
    ['lat=40.75&lon=-73.99', { centre: { by: 'point', lat: 40.75, lon: -73.99 }, range: usual }],
    ['lat=0&lon=-.5&range=12.50km', { centre: { by: 'point', lat: 0, lon: -0.5 }, range: range(12_500, '12.5km') }],
    ['lat=1&lon=2&range=30000mi', { centre: { by: 'point', lat: 1, lon: 2 }, range: range(48_280_320, '30000mi') }],
    ['geoip=true', { centre: { by: 'caller' }, range: usual }],
    ['geoip=8.8.8.8', { centre: { by: 'address', ip: '8.8.8.8' }, range: usual }],
    ['geoip=2001:db8::1', { centre: { by: 'address', ip: '2001:db8::1' }, range: usual }],
    ['geoip=90210-1234', { centre: { by: 'postal code', code: '90210 1234' }, range: usual }],
    ['geoip=m5v3l9', { centre: { by: 'postal code', code: 'M5V3L9' }, range: usual }],
    ['geoip=90210&lat=1&lon=2', { centre: { by: 'point', lat: 1, lon: 2 }, range: usual }],
  ])('%s', (query, expected) => expect(place(query)).toEqual(expected));

  it.each([
    ['lat=1', 'lon'],
    ['lon=1', 'lat'],
    ['lat=91&lon=1', 'lat'],
    ['lat=1&lon=-181', 'lon'],
    ['lat=1e1&lon=1', 'lat'],
    ['lat=&lon=1', 'lat'],
    ['geoip=London', 'geoip'],
    ['geoip=', 'geoip'],
    ['geoip=1.2.3', 'geoip'],
    ['geoip=true&range=30', 'range'],
    ['geoip=true&range=0mi', 'range'],
    ['geoip=true&range=30 miles', 'range'],
    ['geoip=true&range=9999999km', 'range'],
  ])('%s is rejected', (query, argument) => expect(place(query)).toEqual([argument]));

  it('accepts postal codes of two countries', () => {
    expect(['10001', '10001-1234', 'K1A 0B1', 'k1a'].map(postalCodeOf)).toEqual([
      '10001',
      '10001 1234',
      'K1A 0B1',
      'K1A',
    ]);
    expect(['1000', '100011', 'SW1A 1AA', 'KK1'].map(postalCodeOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(rangeOf('200MI')).toEqual(range(200 * 1_609.344, '200mi'));
  });
});

describe('arguments of recommendations', () => {
  const recommended = (query: string) => given(read(RECOMMENDATIONS.read, query));

  it('are a seed, a place and filters', () => {
    expect(recommended('performers.id=1,2&postal_code=10001&venue.slug=msg&taxonomies.name=NBA')).toEqual({
      search: { ...DEFAULTS, seed: { performerIds: [1, 2] }, venueSlugs: ['msg'], taxonomyNames: ['nba'] },
      place: {
        centre: { by: 'postal code', code: '10001' },
        range: { metres: 200 * 1_609.344, text: '200mi' },
      },
    });
    expect(recommended('events.id=5&geoip=false&postal_code=M5V&range=5km&datetime_utc.gt=2026-01-01')).toEqual({
      search: { ...DEFAULTS, seed: { eventId: 5 }, datetimeUtc: [{ operator: 'gt', at: Date.UTC(2026, 0, 1) }] },
      place: { centre: { by: 'postal code', code: 'M5V' }, range: { metres: 5_000, text: '5km' } },
    });
  });

  it.each([
    ['', ['performers.id', 'geoip']],
    ['performers.id=1', ['geoip']],
    ['performers.id=1&geoip=false', ['geoip']],
    ['performers.id=1&lat=1', ['lon']],
    ['performers.id=1&postal_code=x', ['postal_code']],
    ['performers.id=x&geoip=true', ['performers.id']],
    ['events.id=1,2&geoip=true', ['events.id']],
    ['events.id=1&performers.id=2&geoip=true', ['events.id']],
    ['events.id=1&geoip=true&range=far', ['range']],
  ])('%s is rejected', (query, names) => expect(recommended(query)).toEqual(names));
});

describe('a time', () => {
  it.each([
    ['2026-07-04', '2026-07-04T00:00:00.000Z'],
    ['2026-07-04T19:30', '2026-07-04T19:30:00.000Z'],
    ['2026-07-04T19:30:05Z', '2026-07-04T19:30:05.000Z'],
    ['2026-07-04 19:30:05.123456', '2026-07-04T19:30:05.123Z'],
    ['2026-07-04T19:30:00 02:00', '2026-07-04T17:30:00.000Z'],
    ['2026-07-04T19:30:00-0430', '2026-07-05T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s', (text, iso) => expect(new Date(instantOf(text, false) ?? NaN).toISOString()).toBe(iso));

  it.each([
    '2026',
    '2026-7-4',
    '2026-13-01',
    '2023-02-29',
    '2026-07-04T24:00:00',
    '2026-07-04T',
    '20260704',
    'now',
    '',
  ])('%s is invalid', (text) => expect(instantOf(text, false)).toBeUndefined());
});

describe('hostile arguments', () => {
  const NAMES = `q id page per_page sort lat lon range geoip format callback aid rid type datetime_utc.gte datetime_local
    listing_count.gt venue.city venue.id taxonomies.name slug performers.id performers[any].slug performers[home_team].id
    genres[primary].slug __proto__`;
  const names = fc.constantFrom(...NAMES.split(/\s+/));
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('%00', '%', '%ed%a0%80', "'; drop table x; --", '1,2,3', '-1', '1e999', 'NaN', '[[[['),
  );

  it('are read or rejected, and never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values), { maxLength: 30 }), (pairs) => {
        const query = parseQuery(`/x?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`);
        for (const how of [EVENT_SEARCH, PERFORMER_SEARCH, VENUE_SEARCH, PLACE, PRESENTATION]) {
          const args = new ArgumentReader(query);
          const text = JSON.stringify(how.read(args));
          // Nothing that PostgreSQL does not accept.
          expect(text ?? '').not.toMatch(/\\u0000|\\ud[89a-f]/);
        }
      }),
    );
  });
});

describe('the documented parameters', () => {
  /** Remembers which arguments were read. */
  class Watched extends Map<string, readonly string[]> {
    readonly looked = new Set<string>();

    override has(name: string) {
      this.looked.add(name);
      return super.has(name);
    }

    override get(name: string) {
      this.looked.add(name);
      return super.get(name);
    }
  }

  it.each<[string, readonly Argument<unknown>[], unread: readonly string[]]>([
    ['of events', [EVENT_SEARCH, PLACE, PRESENTATION], []],
    ['of performers', [PERFORMER_SEARCH, PRESENTATION], []],
    ['of venues', [VENUE_SEARCH, PLACE, PRESENTATION], []],
    // A wrong `sort` is rejected, although recommendations are always sorted by score.
    ['of recommendations', [RECOMMENDATIONS, PRESENTATION], ['sort']],
  ])('%s are exactly those that are read', (_, declared, undocumented) => {
    const documented = parametersOf(declared).map(({ name }) => name.replace('{specificity}', 'primary'));
    // `id` overrides the filters, and a place by `geoip` needs no other.
    const without = (...names: string[]) => documented.filter((name) => !names.includes(name));
    const looked = [without('id', 'lat', 'lon', 'geoip'), ['id', 'geoip']].flatMap((names) => {
      const query = new Watched(names.map((name) => [name, name === 'geoip' ? ['true'] : ['1']]));
      for (const { read } of declared) read(new ArgumentReader(query));
      return [...query.looked];
    });
    expect([...new Set(looked)].toSorted()).toEqual([...documented, ...undocumented].toSorted());
  });
});
