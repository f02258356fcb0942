import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalogue } from '../catalogue.js';
import { SystemClock } from '#base/clock';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, call } from '../../../../test/support/callers.js';

const DAY_MS = 86_400_000;
const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'&';

let api: TestApi;
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(api.url + path, 'GET', undefined, headers);

const VENUE = { id: 3, name: 'Pier Nine Hall', city: 'Boston', state: 'MA', country: 'US', address: '9 Long Quay' };
const line = (id: number, title: string, days: number, more: object = {}) => ({
  id,
  title,
  type: 'concert',
  // In winter: Boston is five hours behind.
  datetime_local: `${day(days)}T20:00:00`,
  datetime_utc: `${day(days + 1)}T01:00:00`,
  venue: VENUE,
  performers: [{ id: 70, name: 'Moth Light', slug: 'moth-light' }],
  ...more,
});

beforeAll(async () => {
  api = await startTestApi();
  const lines = [
    line(11, 'Moth Light', 3, { stats: { listing_count: 4, lowest_price: 36, average_price: 50, highest_price: 120 } }),
    line(12, HOSTILE, 4, { performers: [{ id: 71, name: HOSTILE, slug: 'hostile' }] }),
    line(13, 'Long Ago', -9),
    line(14, 'Someday', 40, { date_tbd: true, time_tbd: true }),
  ];
  expect(await new Catalogue(api.pool, new SystemClock()).write('events', lines as never)).toEqual([]);
});
afterAll(() => api.close());

// PUBLIC_URL of the test has a path, which a proxy would strip.
const withoutPrefix = (path: string) => path.replace(/^\/shop/, '');
const titles = ({ text }: Answer) =>
  [...text.matchAll(/<p class="title"><a [^>]*>([^<]*)</g)].map(([, title]) => title);
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const dataOf = ({ text }: Answer) => /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(text)?.[1] ?? '';

describe('the public pages', () => {
  it('list upcoming events, and find them by words', async () => {
    const start = await get('/e');
    expect(start.status).toBe(200);
    expect(titles(start)).toHaveLength(3);
    expect(start.text).not.toContain('Long Ago');
    expect(titles(await get('/e?q=moth+light+boston'))).toContain('Moth Light');
    const none = await get(`/e?q=${encodeURIComponent(HOSTILE)}zzz`);
    expect([none.status, titles(none)]).toEqual([200, []]);
    expect(none.text).toContain('No upcoming event matches.');
    expect(none.text).not.toContain('<img');
  });

  it('show an event by the clock of its venue, with prices and data for search engines', async () => {
    const page = await get('/e/11');
    expect(page.text).toMatch(/, 8:00 PM\s+<span class="soft">local time/);
    expect(page.text).toContain('from $36.00');
    expect(JSON.parse(dataOf(page))).toMatchObject({
      '@type': 'MusicEvent',
      name: 'Moth Light',
      startDate: `${day(3)}T20:00:00-05:00`,
      location: { name: 'Pier Nine Hall', address: { addressLocality: 'Boston', addressRegion: 'MA' } },
      offers: { lowPrice: 36, highPrice: 120, offerCount: 4, priceCurrency: 'USD' },
    });
    expect((await get('/e/moth-light-11')).text).toBe(page.text);
    expect((await get('/e/14')).text).toContain('Date to be announced');
    expect((await get('/e/13')).text).toContain('This event is over.');
  });

  it('tell search engines about performers and venues with their upcoming events', async () => {
    const performer: unknown = JSON.parse(dataOf(await get('/p/moth-light')));
    expect(performer).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'PerformingGroup',
      name: 'Moth Light',
      url: `${PUBLIC_URL}/p/moth-light`,
      event: [{ '@type': 'MusicEvent', url: `${PUBLIC_URL}/e/11` }, { url: `${PUBLIC_URL}/e/14` }],
    });
    expect(JSON.parse(dataOf(await get('/v/3')))).toMatchObject({
      '@type': 'EventVenue',
      name: 'Pier Nine Hall',
      address: { streetAddress: '9 Long Quay', addressCountry: 'US' },
      event: [{ name: 'Moth Light' }, { name: HOSTILE }, { name: 'Someday' }],
    });
  });

  it('show hostile text as text, and run nothing', async () => {
    for (const path of ['/e', '/e/12', '/p/hostile', '/v/3']) {
      const page = await get(path);
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/<img|<script>|<[^>]*\s(?:style|on\w+)=/);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(sha256(/<style>([^]*)<\/style>/.exec(page.text)?.[1] ?? ''));
      expect(policy).not.toContain('unsafe');
    }
    for (const path of ['/e/12', '/p/hostile']) {
      const page = await get(path);
      expect(page.headers.get('content-security-policy')).toContain(`script-src ${sha256(dataOf(page))}`);
      expect(JSON.parse(dataOf(page))).toMatchObject({ name: HOSTILE });
    }
  });

  it('link only to pages that exist', async () => {
    const seen = new Set(['/e']);
    for (const path of seen) {
      const page = await get(path);
      expect([path, page.status]).toEqual([path, 200]);
      for (const [, href = ''] of page.text.matchAll(/<a href="([^"]+)"/g)) seen.add(withoutPrefix(href));
    }
    expect([...seen].toSorted()).toEqual(
      ['/e', '/e/11', '/e/12', '/e/14', '/p/hostile', '/p/moth-light', '/v/pier-nine-hall-3'].toSorted(),
    );
  });

  it('are found by the slug or the id of a performer and of a venue', async () => {
    for (const path of ['/p/moth-light', '/p/70']) expect(titles(await get(path))).toEqual(['Moth Light', 'Someday']);
    for (const path of ['/v/pier-nine-hall', '/v/3', '/v/pier-nine-hall-3'])
      expect(titles(await get(path))).toHaveLength(3);
  });

  it('answer an unknown address with a page', async () => {
    for (const path of ['/e/99', '/e/nothing', '/e/99999999999', '/p/nobody', '/v/nowhere', '/v/0']) {
      const page = await get(path);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<h1>Not found</h1>');
    }
  });

  it('are sent again only if they have changed', async () => {
    const { headers } = await get('/e/11');
    const etag = headers.get('etag') ?? '';
    const again = await get('/e/11', { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
  });

  it('are in the sitemap, which robots.txt names', async () => {
    const robots = await get('/robots.txt');
    const address = /^Sitemap: (.+)$/m.exec(robots.text)?.[1] ?? '';
    const sitemap = await get(withoutPrefix(new URL(address).pathname));
    const paths = [...sitemap.text.matchAll(/<loc>([^<]+)</g)].map(([, url = '']) =>
      withoutPrefix(new URL(url).pathname),
    );
    expect(paths).toContain('/e/11');
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });
});
