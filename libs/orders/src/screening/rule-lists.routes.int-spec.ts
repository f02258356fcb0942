import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FraudRuleList, PolicyList, ScreeningDryRun } from '../screening.contract.js';
import { ScreeningDryRuns } from './screening-dry-runs.js';
import { ScreeningRules } from './screening-rules.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const ALL = { field: 'quantity', op: '>', value: 0 };
const entry = (path: string, name: string) => ({ name, where: ALL, ...(path === 'policies' && { action: 'accept' }) });

let api: TestApi;
let bought = 0;
beforeAll(async () => {
  api = await startTestApi();
  const manual = { quantity: 1_000, confirmation: 'manual', confirm_within_minutes: 60 } as const;
  await api.staff.putListing('manual', manual);
});
afterAll(() => api.close());

describe.each([
  ['policies', 'policies'],
  ['fraud-rules', 'rules'],
])('the list of %s', (path, list) => {
  const put = (name: string, headers = {}) =>
    api.staff.send('PUT', path, { [list]: [{ ...entry(path, name), enabled: false }] }, headers);
  const read = async () => {
    const { body, headers } = await api.staff.get(path);
    const { version, ...lists } = body as PolicyList & FraudRuleList;
    const names = ((lists as Record<string, { name: string }[]>)[list] ?? []).map(({ name }) => name);
    return { version, names, etag: headers.get('etag') };
  };

  it('is replaced only from the version that was seen, if that is sent', async () => {
    expect(await read()).toEqual({ version: 0, names: [], etag: '"0"' });
    const first = await put('first', { 'if-match': '"0"' });
    expect([first.status, first.headers.get('etag'), first.body]).toMatchObject([200, '"1"', { version: 1 }]);
    const late = await put('late', { 'if-match': '"0"' });
    expect([late.status, codesOf(late)]).toEqual([412, [41201]]);
    expect(await read()).toEqual({ version: 1, names: ['first'], etag: '"1"' });
    expect((await put('any')).status).toBe(200);
    expect((await put('star', { 'if-match': '*' })).status).toBe(200);
    expect(await read()).toEqual({ version: 3, names: ['star'], etag: '"3"' });
    expect(codesOf(await put('bad', { 'if-match': 'x' }))).toEqual([40001]);
    const { entries } = (await api.staff.get(`audit?action=${path.replace('-', '_')}.changed`)).body as {
      entries: unknown[];
    };
    expect(entries).toHaveLength(3);
  });

  it('is replaced by one of several people who have seen the same version', async () => {
    const { version } = await read();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put(`racer ${index}`, { 'if-match': `"${version}"` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect(await read()).toMatchObject({ version: version + 1, names: [`racer ${won}`] });
  });
});

describe('a dry run', () => {
  const buy = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const body = wholesaleBody();
      const product = { ...body.product, listing_id: 'manual' };
      await api.wholesale.bought({ ...body, ref_id: `dry-${bought++}`, product });
    }
  };
  it('says which purchases it has looked at', async () => {
    const from = new Date(Date.now() - 60_000).toISOString();
    await buy(3);
    const { body } = await api.staff.send('POST', 'policies/dry-run', { policy: entry('policies', 'All'), from });
    expect(body).toMatchObject({ orders: 3, looked_at: 3, from, complete: true });
    const none = await api.staff.send('POST', 'policies/dry-run', {
      policy: entry('policies', 'All'),
      from: '2020-01-01T00:00:00Z',
      to: '2020-02-01T00:00:00Z',
    });
    const period = { from: '2020-01-01T00:00:00.000Z', to: '2020-02-01T00:00:00.000Z' };
    expect(none.body as ScreeningDryRun).toEqual({ orders: 0, sample: [], looked_at: 0, ...period, complete: true });
  });

  it('needs a period that ends after it begins', async () => {
    const period = { from: '2020-02-01', to: '2020-01-01' };
    const policy = { policy: entry('policies', 'All'), ...period };
    expect(codesOf(await api.staff.send('POST', 'policies/dry-run', policy))).toEqual([40001]);
    const rule = { rule: entry('fraud-rules', 'All'), ...period };
    expect(codesOf(await api.staff.send('POST', 'fraud-rules/dry-run', rule))).toEqual([40001]);
  });

  it('of more purchases than it may look at looks at the newest ones, and says so', async () => {
    await buy(4);
    const rules = api.app.get(ScreeningRules);
    const policy = rules.compiledPolicy({ id: '', name: '', action: 'accept', where: ALL, enabled: true });
    const rule = rules.compiledRule({ id: '', name: '', where: ALL, enabled: true });
    const dryRuns = api.app.get(ScreeningDryRuns);
    const period = { from: undefined, to: undefined };
    const { rows } = await api.pool.query<{ id: string; placed_at: Date }>(
      'select id, placed_at from orders order by placed_at desc, id desc limit 3',
    );
    const newest = rows.slice(0, 2).map(({ id }) => id);
    const from = new Date((rows[2]?.placed_at.getTime() ?? 0) + 1).toISOString();
    for (const result of [
      await dryRuns.ofPolicy(policy, period, 2),
      await dryRuns.ofFraudRules([rule], period, true, 2),
    ]) {
      expect(result).toMatchObject({ orders: 2, newest, lookedAt: 2, from, complete: false });
    }
  });
});
