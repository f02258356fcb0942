import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscoveryKeyUsage } from '#accounts/discovery-key-usage';
import { DiscoveryKeys } from '#accounts/discovery-keys';
import { Discovery, DISCOVERY_KEY } from '../../../../test/support/discovery/discovery.js';
import { until } from '../../../../test/support/until.js';

let discovery: Discovery;
let keys: DiscoveryKeys;
beforeAll(async () => {
  discovery = await Discovery.start({ DISCOVERY_RATE_PER_SECOND: '5000' });
  keys = discovery.api.app.get(DiscoveryKeys);
});
afterAll(() => discovery.close());

async function made(
  key: Partial<Parameters<DiscoveryKeys['create']>[0]> = {},
): Promise<{ id: string; secret: string }> {
  const issued = await keys.create({ name: 'a client', ...key });
  if ('error' in issued) throw new Error(issued.message);
  return { id: issued.clientId, secret: issued.secret ?? '' };
}

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
const statusOf = async (target: string, headers = {}) => (await discovery.raw(target, headers)).status;

describe('a key', () => {
  it('is accepted in the query or by HTTP Basic', async () => {
    const { id, secret } = await made({ withSecret: true });
    const { id: plain } = await made();
    for (const query of [
      `client_id=${plain}`,
      `client_id=${plain}&client_secret=`,
      `client_id=${id}&client_secret=${secret}`,
    ]) {
      for (const target of ['/events', '/events/1', '/performers/', '/venues/1', '/taxonomies', '/genres/']) {
        expect(await statusOf(`${target}?${query}`), `${target}?${query}`).toBe(200);
      }
    }
    for (const pair of [plain, `${plain}:`, `${id}:${secret}`, `${DISCOVERY_KEY}:what-the-client-has`])
      expect(await statusOf('/events', basic(pair)), pair).toBe(200);
    expect(await statusOf(`/events?client_id=${DISCOVERY_KEY}&client_secret=what-the-client-has`)).toBe(200);
  });

  it('that is missing or wrong, or comes without its secret, gets the same answer', async () => {
    const { id } = await made({ withSecret: true });
    const expected = {
      errors: [{ code: 40307, message: 'Missing or invalid API key' }],
      message: 'Missing or invalid API key',
      status: 403,
      meta: { status: 403 },
    };
    const attempts: [string, object][] = [
      ['', {}],
      ['client_id=', {}],
      ['client_id=stranger', {}],
      ['client_id=__proto__', {}],
      ['client_id=%ff', {}],
      [`client_id=${id}`, {}],
      [`client_id=${id}&client_secret=`, {}],
      [`client_id=${id}&client_secret=wrong`, {}],
      ['', basic(id)],
      ['', basic(`${id}:`)],
      ['', basic('stranger')],
      ['', basic(`${id}:wrong`)],
      ['', basic('')],
      ['', { authorization: `Bearer ${id}` }],
      ['client_id=stranger', basic(id)],
    ];
    for (const [query, headers] of attempts) {
      for (const target of ['/events', '/events/1', '/events/999999', '/genres', '/events?per_page=x&']) {
        const answer = await discovery.raw(`${target}${target.includes('?') ? '' : '?'}${query}`, headers as never);
        expect([answer.status, answer.body], `${target} ${query}`).toEqual([403, expected]);
      }
    }
  });

  it('that has a secret needs only its id for recommendations, but never a wrong secret', async () => {
    const { id, secret } = await made({ withSecret: true });
    const target = '/recommendations?performers.id=1&lat=40.75&lon=-73.99';
    for (const given of ['', '&client_secret=', `&client_secret=${secret}`]) {
      expect(await statusOf(`${target}&client_id=${id}${given}`), given).toBe(200);
    }
    expect(await statusOf(target, basic(id))).toBe(200);
    expect(await statusOf(`${target}&client_id=${id}&client_secret=wrong`)).toBe(403);
    expect(await statusOf(`${target}&client_id=stranger`)).toBe(403);
  });

  it('that is revoked is rejected everywhere within 5 s', async () => {
    const { id } = await made();
    expect(await statusOf(`/events?client_id=${id}`)).toBe(200);
    // Like another process, so this one's copy does not change.
    await discovery.api.pool.query('update discovery_keys set revoked_at = now() where client_id = $1', [id]);
    const isRefused = async () => (await statusOf(`/events?client_id=${id}`)) === 403;
    await until(isRefused, { withinMs: 5_000 });
  });

  it('is not in the log', async () => {
    const { id, secret } = await made({ withSecret: true });
    await statusOf(`/events?client_id=${id}&client_secret=${secret}`);
    await until(() => discovery.api.log.some((line) => line.includes('/2/events')));
    expect(discovery.api.log.join('\n')).not.toMatch(new RegExp(`${id}|${secret}`));
  });
});

describe('the rate of a key', () => {
  it('is in every answer, and is enforced', async () => {
    const { id } = await made({ ratePerSecond: 2 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => discovery.raw(`/events/1?client_id=${id}&format=xml`)),
    );
    const good = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([good.length + refused.length, good.length >= 4, refused.length > 0]).toEqual([12, true, true]);
    for (const { headers } of answers) expect(headers.get('ratelimit-limit')).toBe('4');
    for (const { headers, text } of refused) {
      expect([headers.get('retry-after'), headers.get('ratelimit-remaining')]).toEqual(['1', '0']);
      expect(text).toContain('<code>42900</code>');
    }
    const other = await discovery.get('/events/1');
    expect([other.status, other.headers.get('ratelimit-limit')]).toEqual([200, '10000']);
    expect(Number(other.headers.get('ratelimit-remaining'))).toBeLessThan(10_000);
    expect(other.headers.get('ratelimit-reset')).toMatch(/^[012]$/);
    await until(async () => (await statusOf(`/events/1?client_id=${id}`)) === 200);
  });

  it('is counted, with the requests beyond it', async () => {
    const { id } = await made({ ratePerSecond: 1 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => statusOf(`/venues/1?client_id=${id}`)));
    await statusOf('/venues/1?client_id=stranger');
    await discovery.api.app.get(DiscoveryKeyUsage).flush();
    const listed = (await keys.list()).find(({ client_id }) => client_id === id);
    const throttled = answers.filter((status) => status === 429).length;
    expect(listed?.usage).toMatchObject([{ requests: 6, throttled }]);
    expect(throttled).toBeGreaterThan(0);
  });
});

describe('the right of a key', () => {
  const pageOf = (id: string, perPage: number, path = '/events') =>
    discovery.raw(`${path}?per_page=${perPage}&client_id=${id}`);

  it('is a page of 500, unless it was given a larger one', async () => {
    const { id } = await made();
    const { id: large } = await made({ maxPerPage: 5_000 });
    for (const path of ['/events', '/performers', '/venues', '/taxonomies']) {
      expect([path, (await pageOf(id, 500, path)).status, (await pageOf(large, 5_000, path)).status]).toEqual([
        path,
        200,
        200,
      ]);
      for (const [key, perPage] of [
        [id, 501],
        [id, 5_000],
        [large, 5_001],
      ] as const) {
        const { status, body } = await pageOf(key, perPage, path);
        const most = key === id ? 500 : 5_000;
        expect([status, body]).toMatchObject([
          400,
          { errors: [{ code: 40001, message: `per_page: must be a whole number from 1 to ${most}` }] },
        ]);
      }
    }
    expect((await pageOf(DISCOVERY_KEY, 5_000)).status).toBe(200);
  });

  it('changes within 5 s everywhere', async () => {
    const { id } = await made();
    expect((await pageOf(id, 600)).status).toBe(400);
    // Like another process, so this one's copy does not change.
    await discovery.api.pool.query('update discovery_keys set max_per_page = 600 where client_id = $1', [id]);
    await until(async () => (await pageOf(id, 600)).status === 200, { withinMs: 5_000 });
  });

  it('is used up by long pages sooner', async () => {
    const { id } = await made({ ratePerSecond: 100, maxPerPage: 5_000 });
    const remaining = async (query: string) =>
      Number((await discovery.raw(`/events?client_id=${id}&${query}`)).headers.get('ratelimit-remaining'));
    expect(await remaining('per_page=10')).toBeGreaterThan(190);
    // A hundred requests, less what came back meanwhile.
    expect(await remaining('per_page=5000')).toBeLessThan(150);
    expect((await discovery.raw(`/events?client_id=${id}&per_page=5000&format=xml`)).status).toBe(200);
    const refused = await discovery.raw(`/events?client_id=${id}`);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
  });
});

describe('web pages of other origins', () => {
  it('may read every answer', async () => {
    for (const target of ['/events', '/nothing', '/events/0', '//events', `/events?client_id=${DISCOVERY_KEY}`]) {
      const { headers } = await discovery.raw(target, { origin: 'https://site.example' });
      expect(headers.get('access-control-allow-origin'), target).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining');
    }
    expect((await fetch(`${discovery.api.url}/health/live`)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('may make preflight requests without a key', async () => {
    const preflight = { origin: 'https://site.example', 'access-control-request-method': 'GET' };
    for (const target of ['/events', '/events/1/', '/recommendations']) {
      const { status, headers, text } = await discovery.raw(target, preflight, 'OPTIONS');
      expect([status, text]).toEqual([204, '']);
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
      expect(headers.get('access-control-allow-headers')).toContain('Authorization');
    }
    expect((await fetch(`${discovery.api.url}/checkout/v1/purchases`, { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('hostile requests', () => {
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => make(at)).join('&');

  it.each([
    ['unknown arguments', many(2_000, (at) => `a${at}=`)],
    ['performers', many(600, (at) => `performers.slug=${at}`)],
    ['brackets', `performers${'['.repeat(2_000)}any${']'.repeat(2_000)}.id=1`],
    ['ids', `id=${'1,'.repeat(6_000)}`],
    ['a q of words', `q=${'new+york+'.repeat(1_000)}`],
    ['a q of nothing', `q=${'+'.repeat(9_000)}`],
    ['a q of signs', `q=${encodeURIComponent(`'"%_\\;:*()&|!<->~`.repeat(20))}`],
    ['NUL', 'q=%00&venue.city=a%00b&type=%00&aid=%00'],
    ['half surrogates', 'q=%ed%a0%80&performers.slug=%ed%b0%80'],
    ['prototypes', '__proto__=1&constructor.prototype=2&sort=__proto__&venue.__proto__=3&format=constructor'],
    [
      'SQL',
      `sort=${encodeURIComponent('id.asc; drop table discovery_events')}&venue.city=${encodeURIComponent("'; drop table x; --")}`,
    ],
    ['broken encoding', 'q=%&venue.city=%zz&%=1&per_page=%31'],
    ['numbers', 'per_page=1e3&page=0x10&lat=NaN&lon=Infinity&listing_count.gt=1e309'],
  ])('%s', async (_, query) => {
    const began = performance.now();
    const answer = await discovery.get(`/events?${query}`);
    expect([200, 400, 431]).toContain(answer.status);
    if (answer.status === 400) expect(answer.body).toMatchObject({ status: 400, meta: { status: 400 } });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('of 10,000 arguments are rejected at once', async () => {
    expect((await discovery.get(`/events?${many(10_000, (at) => `a${at}=${at}`)}`)).status).toBe(431);
  });

  it('cause no error in the log', () => {
    expect(discovery.api.log.filter((line) => line.includes('"fault"'))).toEqual([]);
  });
});

describe('an api that stops', () => {
  it('writes its last counts', async () => {
    const ending = await Discovery.start();
    await ending.get('/events/1');
    const { databaseUrl, app } = ending.api;
    expect(databaseUrl).toContain('/test_');
    await app.close();
    const { rows } = await ending.api.pool.query('select requests from discovery_key_usage');
    expect(rows).toEqual([{ requests: 1 }]);
    await ending.close();
  });
});
