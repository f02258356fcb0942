import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../../test/support/callers.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { eventLine, performerLine, venueLine } from '../../../../test/support/discovery/catalogue-lines.js';
import { Discovery, DISCOVERY_KEY } from '../../../../test/support/discovery/discovery.js';
import { elementsOf, parseXml } from '../../../../test/support/discovery/strict-xml.js';
import type { Json } from './xml-text.js';

let discovery: Discovery;

/** Text that causes trouble in XML and in scripts. */
const HOSTILE_TEXT = `</script>\u2028\u2029 <&>'"]]> \u0001\ufffe\u001f é \u{1f3b5} \r\n\t ${'{{x}}'}`;

beforeAll(async () => {
  discovery = await Discovery.start();
  const images = { '1200x525': 'https://i.example/1?a=1&b=2', _x0041_: 'https://i.example/2', 'a b:c': 'x', xml: 'y' };
  const performer = performerLine(901, {
    name: HOSTILE_TEXT,
    url: 'https://tickets.example/p?a=1&b=2#top',
    image: 'https://i.example/1',
    images,
    links: [{ provider: 'music', url: 'https://music.example/1', id: null }],
    divisions: [{ display_name: HOSTILE_TEXT, short_name: null }],
  });
  await discovery.write('performers', [performer]);
  await discovery.write('venues', [
    venueLine(901, { name: HOSTILE_TEXT, state: null, url: 'https://tickets.example/v' }),
  ]);
  await discovery.write('events', [
    eventLine(901, {
      title: HOSTILE_TEXT,
      url: 'https://tickets.example/e',
      performers: [{ ...performer, primary: true }, performerLine(1)],
      venue: venueLine(901, { name: HOSTILE_TEXT, state: null }),
      stats: { listing_count: 0, average_price: null, lowest_price: null, highest_price: null },
      datetime_local: '2026-12-01T03:30:00',
      time_tbd: true,
    }),
  ]);
});
afterAll(() => discovery.close());

const TARGETS = [
  '/events/901',
  '/performers/901',
  '/venues/901',
  '/events?per_page=100',
  '/events?lat=40.75&lon=-73.99&range=50mi',
  '/performers?per_page=100',
  '/venues?per_page=100',
  '/events?venue.city=Atlantis',
  '/taxonomies',
  '/genres',
];

/** `took` differs each time. */
const withoutTook = (text: string) => text.replace(/"took":\d+/, '"took":0').replace(/<took>\d+</, '<took>0<');

async function json(target: string): Promise<Json> {
  return JSON.parse(withoutTook((await discovery.get(target)).text)) as Json;
}

const and = (target: string, argument: string) => `${target}${target.includes('?') ? '&' : '?'}${argument}`;

describe('XML', () => {
  it.each(TARGETS)('of %s says what the JSON says', async (target) => {
    const answer = await discovery.get(and(target, 'format=xml'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect([parseXml(withoutTook(answer.text))]).toEqual(elementsOf('response', await json(target)));
  });

  it('is the format of errors too', async () => {
    const answers = [
      await discovery.raw('/events?format=xml'),
      await discovery.get('/events/0?format=xml'),
      await discovery.get('/events?format=xml&sort=x&page=y'),
      await discovery.get('/nothing?format=xml'),
      await discovery.get('//events?format=xml'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 400, 404, 400]);
    for (const { status, text } of answers) {
      const { name, children } = parseXml(text);
      expect([name, children.find((child) => child.name === 'status')?.text]).toEqual(['response', String(status)]);
      expect(children[0]?.children.map((child) => child.name)).toEqual(['code', 'message']);
    }
  });
});

describe('JSONP', () => {
  it.each(TARGETS)('of %s hands the JSON over', async (target) => {
    const answer = await discovery.get(and(target, 'callback=jQuery1.cb&format=xml'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/javascript; charset=utf-8']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.text).not.toMatch(/[\u2028\u2029]/);
    const [, handedOver = ''] = /^jQuery1\.cb\((.*)\);$/s.exec(withoutTook(answer.text)) ?? [];
    expect(JSON.parse(handedOver)).toEqual(await json(target));
  });

  it('is refused to pages of this server, whose scripts an address must not name', async () => {
    for (const path of [
      '/2/events?callback=alert',
      `/2/events?client_id=${'x'}&callback=alert`,
      '/2/nowhere?callback=alert',
    ]) {
      const answer = await call(discovery.api.url + path, 'GET', undefined, { 'sec-fetch-site': 'same-origin' });
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('content-type'), path).toBe('application/json; charset=utf-8');
      expect(answer.text, path).not.toMatch(/^alert/);
    }
    const other = await discovery.get('/events?callback=cb', { 'sec-fetch-site': 'cross-site' });
    expect([other.status, other.text.slice(0, 3)]).toEqual([200, 'cb(']);
  });

  it('is the format of errors too, unless the callback is invalid', async () => {
    const missing = await discovery.raw('/events?callback=cb');
    expect([missing.status, missing.text]).toEqual([
      403,
      expect.stringMatching(/^cb\(\{"errors":\[\{"code":40307,.*\}\);$/),
    ]);
    for (const callback of ['alert(1)', 'a;b', '%3Cscript%3E', 'a%00', 'a%0ab']) {
      const answer = await discovery.get(`/events?callback=${callback}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
      expect(answer.body).toMatchObject({ errors: [{ message: expect.stringMatching(/^callback: /) as string }] });
    }
  });
});

describe('aid and rid', () => {
  it('are on every address and nowhere else', async () => {
    const text = JSON.stringify(await json('/events/901?aid=1&rid=a%26b%20%C3%A9'));
    const ids = 'aid=1&rid=a%26b%20%C3%A9';
    for (const address of [`/e?${ids}`, `/p?a=1&b=2&${ids}#top`, `/v?${ids}`]) {
      expect(text).toContain(`"https://tickets.example${address}"`);
    }
    for (const address of ['music.example/1?', 'i.example/1?', 'i.example/1?a=1&b=2&', 'i.example/2?']) {
      expect(text).toContain(`"https://${address}${ids}"`);
    }
    const without = JSON.stringify(await json('/events/901'));
    expect(text.replaceAll(`&${ids}`, '').replaceAll(`?${ids}`, '')).toBe(without);
  });

  it('are in XML, JSONP and bulk answers too', async () => {
    const answer = await discovery.get('/performers?id=901&format=xml&aid=7');
    expect(answer.text).toContain('<url>https://tickets.example/p?a=1&amp;b=2&amp;aid=7#top</url>');
    expect((await discovery.get('/venues?id=901&callback=cb&rid=7')).text).toContain(
      '"https://tickets.example/v?rid=7"',
    );
  });
});

describe('tags', () => {
  it('stay the same while nothing changes, and save the body', async () => {
    for (const target of TARGETS) {
      const first = await discovery.get(target);
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
      for (const sent of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
        const again = await discovery.get(target, { 'if-none-match': sent });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
      }
      expect((await discovery.get(target, { 'if-none-match': '"x", W/"y"' })).status).toBe(200);
    }
  });

  it('differ between documents, formats and partners', async () => {
    const answers = ['', 'format=xml', 'callback=a', 'callback=b', 'aid=1', 'aid=2', 'rid=1'].map((argument) =>
      discovery.get(`/events/901?${argument}`),
    );
    const tags = (await Promise.all(answers)).map(({ headers }) => headers.get('etag'));
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('change with the document', async () => {
    const tag = async () => (await discovery.get('/venues/3')).headers.get('etag');
    const before = await tag();
    await discovery.write('venues', [venueLine(3, { name: 'Renamed' })]);
    expect(await tag()).not.toBe(before);
  });
});

describe('caching', () => {
  it('is short, and private if the answer is for one caller', async () => {
    const control = async (target: string) => (await discovery.get(target)).headers.get('cache-control');
    expect(await control('/events/901')).toBe('public, max-age=10');
    expect(await control('/events?geoip=10001')).toBe('public, max-age=10');
    expect(await control('/events?geoip=true')).toBe('private, max-age=10');
    expect(await control('/venues?geoip=true')).toBe('private, max-age=10');
    expect(await control('/taxonomies')).toBe('public, max-age=300');
    expect(await control('/events/0')).toBe('no-store');
    expect((await discovery.get('/events')).headers.get('vary')).toBe('Accept-Encoding, Authorization');
  });
});

describe('compression', () => {
  const ask = (target: string, accepted: string) =>
    request(`${discovery.api.url}/2${and(target, `client_id=${DISCOVERY_KEY}`)}`, {
      headers: { 'accept-encoding': accepted },
    });

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('%s of what is long', async (encoding, decompressed) => {
    for (const target of ['/events?per_page=50', '/events/901?format=xml', '/performers?callback=cb']) {
      const plain = await discovery.get(target, { 'accept-encoding': 'identity' });
      const { statusCode, headers, body } = await ask(target, encoding);
      const bytes = Buffer.from(await body.arrayBuffer());
      expect([statusCode, headers['content-encoding'], headers.etag]).toEqual([
        200,
        encoding,
        plain.headers.get('etag'),
      ]);
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(bytes.length).toBeLessThan(plain.text.length * 0.6);
      expect(withoutTook(decompressed(bytes).toString())).toBe(withoutTook(plain.text));
    }
  });

  it('is omitted for short answers, without a request for it, and elsewhere', async () => {
    const short = await ask('/venues/901', 'gzip');
    expect(short.headers['content-encoding']).toBeUndefined();
    await short.body.dump();
    const refused = await ask('/events', 'gzip;q=0, identity');
    expect(refused.headers['content-encoding']).toBeUndefined();
    await refused.body.dump();
    const elsewhere = await request(`${discovery.api.url}/openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
    expect(elsewhere.headers['content-encoding']).toBeUndefined();
    await elsewhere.body.dump();
  });
});

describe('HEAD', () => {
  it('has the headers of GET and no body', async () => {
    for (const target of [`/events?client_id=${DISCOVERY_KEY}`, `/venues/901/?client_id=${DISCOVERY_KEY}`, '/events']) {
      const plain = { 'accept-encoding': 'identity' };
      const [get, head] = [await discovery.raw(target, plain), await discovery.raw(target, plain, 'HEAD')];
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['content-type', 'etag', 'cache-control', 'vary']) {
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
      }
    }
  });
});

describe('a document without its own address', () => {
  const performer = performerLine(991, { name: 'Ünder "Quotes"', slug: 'ünder "quotes"', url: null });
  const shown = async () => {
    const event = (await discovery.get('/events/990')).body as Addressed & {
      venue: Addressed;
      performers: readonly Addressed[];
    };
    const own = await Promise.all(['/venues/992', '/performers/991'].map((path) => discovery.get(path)));
    return [event, event.venue, ...event.performers, ...own.map(({ body }) => body as Addressed)].map(({ url }) => url);
  };
  const expected = [
    `${PUBLIC_URL}/e/990`,
    `${PUBLIC_URL}/v/the-yard-992`,
    `${PUBLIC_URL}/p/%C3%BCnder%20%22quotes%22`,
    `${PUBLIC_URL}/v/the-yard-992`,
    `${PUBLIC_URL}/p/%C3%BCnder%20%22quotes%22`,
  ];

  it('has the address of its public page, which answers', async () => {
    const venue = venueLine(992, { name: 'The Yard', url: null });
    await discovery.write('events', [eventLine(990, { url: null, venue, performers: [performer] })]);
    expect(await shown()).toEqual(expected);
    expect((await discovery.bulk('/events?id=990&aid=7')).documents[0]).toMatchObject({ url: `${expected[0]}?aid=7` });
    for (const url of expected) {
      const page = await request(`${discovery.api.url}${url.slice(PUBLIC_URL.length)}`);
      expect([url, page.statusCode]).toEqual([url, 200]);
      await page.body.dump();
    }
  });
});

type Addressed = Readonly<{ url: string }>;

it('an address that an earlier version imported is left out if it is not of the web', async () => {
  const hostile = 'javascript:alert(1)';
  // Below the import, which refuses it.
  const images = { huge: hostile, small: 'https://i.example/1' };
  await discovery.write('performers', [performerLine(950, { url: hostile, image: hostile, images })]);
  await discovery.write('genres', [{ id: 950, name: 'Hostile', image: hostile }]);
  for (const target of ['/performers/950', '/performers?id=950', '/genres', '/performers/950?format=xml']) {
    const answer = await discovery.get(target);
    expect([answer.status, answer.text.includes('javascript')], target).toEqual([200, false]);
  }
  expect(await json('/performers/950')).toMatchObject({
    url: '',
    image: null,
    images: { small: 'https://i.example/1' },
  });
});
