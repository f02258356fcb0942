import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiToken, ApiTokenList, IssuedApiToken } from './api-token.contract.js';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { type Answer, call, codesOf } from '../../../test/support/callers.js';
import { broken } from '../../../test/support/broken.js';
import { checkoutListing } from '../../../test/support/listing-body.js';
import { wholesaleBody } from '../../../test/support/purchase-bodies.js';

const DAY_MS = 86_400_000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TOKEN_DAYS: '20' });
});
afterAll(() => api.close());

const add = (path: string, more: object = {}) => api.staff.send('POST', path, { name: 'T', ...more });
const daysLeft = ({ body }: Answer) => {
  const { expires_at: end } = body as ApiToken;
  return end === null ? null : Math.round((Date.parse(end) - Date.now()) / DAY_MS);
};
const withToken = (token: string, method: string, path: string, body?: unknown) =>
  call(`${api.url}/backoffice/v1/${path}`, method, body, { authorization: `Bearer ${token}` });

describe.each([
  ['tokens', { scopes: ['orders:read'] }, 'tokens'],
  ['stream-tokens', {}, 'stream_tokens'],
])('a token of %s', (path, fields, list) => {
  it('ends after TOKEN_DAYS days, at another time, or never where null is sent', async () => {
    expect(daysLeft(await add(path, fields))).toBe(20);
    expect(
      daysLeft(await add(path, { ...fields, expires_at: new Date(Date.now() + 400 * DAY_MS).toISOString() })),
    ).toBe(400);
    expect(daysLeft(await add(path, { ...fields, expires_at: null }))).toBeNull();
    const { body } = await api.staff.get(path);
    const listed = (body as Record<string, ApiToken[]>)[list] ?? [];
    expect(listed.map(({ expires_at: end }) => end === null)).toHaveLength(3);
    expect(body).toMatchObject({ token_days: 20 });
  });

  it('that would have ended already is not made', async () => {
    const before = (await api.staff.get(path)).text;
    const answer = await add(path, { ...fields, expires_at: '2020-01-01' });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(answer.text).toContain('expires_at must be in the future');
    expect((await api.staff.get(path)).text).toBe(before);
  });
});

it('a stream token is refused once it has ended', async () => {
  const { id, token } = (await add('stream-tokens')).body as { id: string; token: string };
  const read = () => call(`${api.url}/stream/v1/pings`, 'GET', undefined, { authorization: `Bearer ${token}` });
  expect((await read()).status).toBe(200);
  await api.pool.query(`update stream_tokens set expires_at = now() - interval '1 second' where id = $1`, [id]);
  // Other processes learn of a change within 5 s.
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(401);
});

describe('a token that is limited to sellers', () => {
  const orders: Record<string, string> = {};
  let limited: IssuedApiToken;
  beforeAll(async () => {
    for (const [id, seller] of [
      ['own', 'Front Row'],
      ['other', 'Back Row'],
      ['nobodys', undefined],
    ] as const) {
      await api.staff.putListing(id, seller ? { seller } : {});
      orders[id] = await api.wholesale.bought(broken(wholesaleBody(), { ref_id: id, 'product.listing_id': id }));
    }
    const scopes = ['orders:read', 'orders:act', 'listings:read', 'listings:write'];
    limited = (await add('tokens', { scopes, sellers: ['Front Row'] })).body as IssuedApiToken;
  });
  const ask = (method: string, path: string, body?: unknown) => withToken(limited.token, method, path, body);

  it('sees what a broker with these sellers sees, and nothing else', async () => {
    expect(limited).toMatchObject({ sellers: ['Front Row'] });
    expect((await ask('GET', 'orders/count')).body).toEqual({ count: 1 });
    const { body } = await ask('GET', 'orders');
    expect((body as { orders: { id: string }[] }).orders.map(({ id }) => id)).toEqual([orders['own']]);
    const searched = await ask('POST', 'orders/search', { where: { not: { field: 'id', op: '=', value: 'x' } } });
    expect((searched.body as { orders: object[] }).orders).toHaveLength(1);
    for (const other of ['other', 'nobodys']) {
      expect((await ask('GET', `orders/${orders[other]}`)).status).toBe(404);
      expect((await ask('POST', `orders/${orders[other]}/status`, { status_code: 3004 })).status).toBe(404);
      expect((await ask('PUT', `listings/${other}`, checkoutListing())).status).toBe(404);
    }
    expect((await ask('PUT', 'listings/new', { ...checkoutListing(), seller: 'Back Row' })).status).toBe(400);
    expect((await ask('PUT', 'listings/new', checkoutListing())).body).toMatchObject({ seller: 'Front Row' });
    expect(codesOf(await ask('PUT', 'catalogue/genres/1', { name: 'Jazz' }))).toEqual([40300]);
  });

  it.each([[['admin']], [['orders:read', 'orders:reveal']], [['stream:read']], [['runs:act']]])(
    'has only scopes of brokers: not %j',
    async (scopes) => {
      const answer = await add('tokens', { scopes, sellers: ['Front Row'] });
      expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
      expect(answer.text).toContain('scopes: with sellers, must be among orders:read, orders:act');
    },
  );

  it.each([[[]], [['']], ['Front Row']])('has at least one seller with a name: not %j', async (sellers) => {
    const answer = await add('tokens', { scopes: ['orders:read'], sellers });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(answer.text).toContain('sellers');
  });

  it('is listed with them', async () => {
    const { tokens } = (await api.staff.get('tokens')).body as ApiTokenList;
    expect(tokens.find(({ id }) => id === limited.id)).toMatchObject({ sellers: ['Front Row'] });
    expect(tokens.some(({ sellers }) => sellers === null)).toBe(true);
  });
});

it('a token makes none that may do more than itself', async () => {
  const { token } = (await add('tokens', { scopes: ['admin', 'orders:read'] })).body as IssuedApiToken;
  const make = (scopes: string[]) => withToken(token, 'POST', 'tokens', { name: 'Made', scopes });
  const answer = await make(['orders:read', 'orders:reveal', 'money:act']);
  expect([answer.status, codesOf(answer)]).toEqual([403, [40300]]);
  expect(answer.text).toContain('orders:reveal and money:act');
  expect((await make(['orders:read'])).status).toBe(201);
});
