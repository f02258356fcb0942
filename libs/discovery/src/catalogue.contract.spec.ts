import { describe, expect, it } from 'vitest';
import { canonicalDateTime, CATALOGUE_LINES } from './catalogue.contract.js';

const event = {
  id: 1,
  title: 'A concert',
  datetime_local: '2026-11-21T19:30:00',
  datetime_utc: '2026-11-22T00:30:00',
  venue: { id: 2 },
};

const invalidFields = (change: object) =>
  CATALOGUE_LINES.events
    .safeParse({ ...event, ...change })
    .error?.issues.map(({ path }) => path.join('.'))
    .toSorted() ?? [];

describe('date-times of the catalogue', () => {
  it.each([
    ['2026-11-21T19:30:00', '2026-11-21T19:30:00', '2026-11-21T19:30:00'],
    ['2026-11-21', '2026-11-21T00:00:00', '2026-11-21T00:00:00'],
    ['2026-11-21T19:30', '2026-11-21T19:30:00', '2026-11-21T19:30:00'],
    ['2026-11-21T19:30:00.999Z', '2026-11-21T19:30:00', '2026-11-21T19:30:00'],
    ['2026-11-21T19:30:00-05:00', '2026-11-21T19:30:00', '2026-11-22T00:30:00'],
    ['2024-02-29T23:59:59+01:00', '2024-02-29T23:59:59', '2024-02-29T22:59:59'],
  ])('%s is read', (text, local, utc) => {
    expect(canonicalDateTime(text, 'local')).toBe(local);
    expect(canonicalDateTime(text, 'utc')).toBe(utc);
    expect(invalidFields({ datetime_utc: text })).toEqual([]);
  });

  it.each(['2026-02-30T00:00:00', '2026-11-21T24:00:00', '2026-11-21 19:30', '21.11.2026', '0000-01-01', '', 5, null])(
    '%s is refused',
    (given) => expect(invalidFields({ datetime_utc: given })).toEqual(['datetime_utc']),
  );
});

describe('an address of the catalogue', () => {
  const performer = { id: 1, name: 'Ada' };
  const invalidAddresses = (address: string) =>
    CATALOGUE_LINES.performers
      .safeParse({
        ...performer,
        url: address,
        image: address,
        images: { huge: address },
        links: [{ provider: 'lastfm', url: address }],
      })
      .error?.issues.map(({ path }) => path.join('.')) ?? [];

  it.each([
    'https://tickets.example/a',
    'http://tickets.example',
    'HTTPS://TICKETS.EXAMPLE',
    '/e/7',
    '/images/a:b.png',
  ])('is of the web: %s', (address) => expect(invalidAddresses(address)).toEqual([]));

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' https://tickets.example',
    'java\nscript:alert(1)',
    'https://tickets.example/\n',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    '//evil.example/a.png',
    '/\\evil.example',
    'tickets.example',
    '',
  ])('is refused where it is not: %j', (address) => {
    expect(invalidAddresses(address)).toEqual(['url', 'image', 'images.huge', 'links.0.url']);
  });

  it('of a link may be missing, as a provider may give an id', () => {
    const links = [{ provider: 'spotify', id: 'spotify:artist:1' }];
    expect(CATALOGUE_LINES.performers.safeParse({ ...performer, links }).success).toBe(true);
  });
});

describe('an event of the catalogue', () => {
  it('has few required fields', () => {
    expect(invalidFields({})).toEqual([]);
    expect(invalidFields({ title: '', venue: {}, datetime_local: undefined })).toEqual([
      'datetime_local',
      'title',
      'venue.id',
    ]);
  });

  it('may have nulls like the real data', () => {
    const stats = { listing_count: null, average_price: null, lowest_price: null, highest_price: null };
    expect(invalidFields({ stats, announce_date: null, url: null, score: null, taxonomies: null })).toEqual([]);
  });

  it.each([
    [{ id: 0 }, 'id'],
    [{ id: 2 ** 53 }, 'id'],
    [{ id: '5' }, 'id'],
    [{ title: 'half \ud83c' }, 'title'],
    [{ score: 1.1 }, 'score'],
    [{ stats: { lowest_price: -1 } }, 'stats.lowest_price'],
    [{ performers: [{ id: 1 }, { name: 'nobody' }] }, 'performers.1.id'],
    [{ taxonomies: [{ name: 'concert' }] }, 'taxonomies.0.id'],
  ])('is invalid with %j', (change, field) => expect(invalidFields(change)).toEqual([field]));

  it('rejects links that are nested too deeply', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
    const { error } = CATALOGUE_LINES.performers.safeParse({ id: 1, name: 'Deep', links: [{ deep }] });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['links.0']);
  });
});
