import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IssuedApiToken } from '#accounts/api-token.contract';
import type { AuditPage } from '#accounts/audit.contract';
import type { Permission } from '#accounts/permission.contract';
import { PersonalReads } from '#accounts/personal-reads';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';

const SCOPES: readonly Permission[] = ['orders:read', 'orders:act', 'orders:note', 'orders:reveal', 'runs:act'];

type Token = Readonly<{
  actor: string;
  send: (method: string, path: string, body?: unknown) => ReturnType<typeof call>;
}>;

let api: TestApi;
let order: string;
let token: Token;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('listing', { quantity: 20 });
  const body = cardBody();
  order = await api.payment.bought({ ...body, product: { ...body.product, listing_id: 'listing' } });
});
afterAll(() => api.close());
beforeEach(async () => {
  token = await tokenWith(SCOPES);
});

async function tokenWith(scopes: readonly Permission[]): Promise<Token> {
  const { id, token: secret } = (await api.staff.send('POST', 'tokens', { name: 'nightly', scopes }))
    .body as IssuedApiToken;
  const send: Token['send'] = (method, path, body) =>
    call(`${api.url}/backoffice/v1/${path}`, method, body, { authorization: `Bearer ${secret}` });
  return { actor: `token:${id}`, send };
}
const entries = async ({ actor }: Pick<Token, 'actor'>) =>
  ((await api.staff.get(`audit?action=personal_data.read&actor=${actor}`)).body as AuditPage).entries;
const reads = () => api.app.get(PersonalReads);
const endHour = () =>
  api.pool.query(`update personal_data_reads set since = since - interval '2 hours'`).then(() => reads().sumUp());

describe('a program that reads buyers in clear', () => {
  it.each<readonly [method: string, path: string, body: object | undefined]>([
    ['GET', 'orders?limit=5', undefined],
    ['GET', 'orders/ORDER', undefined],
    ['GET', 'orders/ORDER?version=1', undefined],
    ['GET', 'orders/ORDER/changes?from=1&to=2', undefined],
    ['POST', 'orders/search', {}],
    ['PUT', 'orders/ORDER/tags', ['vip']],
    ['POST', 'orders/ORDER/mails/preview', { kind: 'confirmation' }],
  ])('leaves an entry by %s %s', async (method, path, body) => {
    const { status } = await token.send(method, path.replace('ORDER', order), body);
    expect(status).toBe(200);
    const found = await entries(token);
    const { reads: count, since } = found[0]!.detail as { reads: number; since: string };
    expect([found.length, count > 0, found[0]?.subject]).toEqual([1, true, token.actor]);
    expect(found[0]?.address).toBe('127.0.0.1');
    expect(Date.parse(since) % 3_600_000).toBe(0);
  });

  it('leaves one entry more for all other reads of the hour, with their number', async () => {
    await Promise.all(Array.from({ length: 9 }, () => token.send('GET', `orders/${order}`)));
    await token.send('GET', `orders/${order}`);
    expect(await entries(token)).toHaveLength(1);
    await reads().flush();
    await Promise.all([reads().sumUp(), reads().sumUp()]);
    expect(await entries(token)).toHaveLength(1);
    await endHour();
    const [sum, first] = await entries(token);
    expect(sum).toMatchObject({ action: 'personal_data.read', subject: token.actor, detail: { reads: 10 } });
    expect(first?.detail['reads']).toBeLessThanOrEqual(10);
    await endHour();
    expect(await entries(token)).toHaveLength(2);
  });

  it('leaves one entry if it read once', async () => {
    await token.send('GET', `orders/${order}`);
    await reads().flush();
    await endHour();
    expect(await entries(token)).toHaveLength(1);
  });

  it('gets nothing while the entry cannot be written', async () => {
    await api.pool.query('alter table personal_data_reads rename to personal_data_gone');
    try {
      const answer = await token.send('GET', `orders/${order}`);
      expect(answer.status).toBeGreaterThanOrEqual(500);
      expect(answer.text).not.toContain('@');
    } finally {
      await api.pool.query('alter table personal_data_gone rename to personal_data_reads');
    }
    expect((await token.send('GET', `orders/${order}`)).status).toBe(200);
    expect((await entries(token))[0]?.detail['reads']).toBe(2);
  });
});

describe('nobody else', () => {
  it('leaves such an entry: people, and programs that see masks', async () => {
    const ada = await signIn(api, ['administrator']);
    const blind = await tokenWith(['orders:read']);
    for (const who of [ada, blind]) expect((await who.send('GET', `orders/${order}`)).status).toBe(200);
    expect(await entries({ actor: `operator:${ada.id}` })).toEqual([]);
    expect(await entries(blind)).toEqual([]);
  });
});
