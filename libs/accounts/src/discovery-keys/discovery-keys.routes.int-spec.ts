import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscoveryKey, DiscoveryKeyList, IssuedDiscoveryKey } from '../discovery-key.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf } from '../../../../test/support/callers.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ DISCOVERY_CLIENT_ID: 'first-key' });
});
afterAll(() => api.close());

async function listed(): Promise<DiscoveryKey[]> {
  const answer = await api.staff.get('discovery-keys');
  expect(answer.status).toBe(200);
  return DiscoveryKeyList.parse(answer.body).keys;
}

const make = (body: object) => api.staff.send('POST', 'discovery-keys', body);

describe('discovery keys', () => {
  it('begin with the one of the settings', async () => {
    expect((await listed())[0]).toMatchObject({ client_id: 'first-key', name: 'first key', revoked_at: null });
  });

  it('are made, with a secret where it is asked for', async () => {
    const plain = IssuedDiscoveryKey.parse((await make({ name: 'plain' })).body);
    expect(plain).toMatchObject({ name: 'plain', has_secret: false, rate_per_second: null, usage: [] });
    expect(plain.client_secret).toBeUndefined();
    const answer = await make({ name: 'full', client_id: 'mine', rate_per_second: 20, with_secret: true });
    expect(answer.status).toBe(201);
    const full = IssuedDiscoveryKey.parse(answer.body);
    expect(full).toMatchObject({ client_id: 'mine', has_secret: true, rate_per_second: 20 });
    expect(full.client_secret).toMatch(/^[0-9a-f]{64}$/);
    expect((await listed()).map(({ client_id }) => client_id)).toEqual(['first-key', plain.client_id, 'mine']);
    expect(JSON.stringify([await listed(), api.log])).not.toContain(full.client_secret);
  });

  it.each([
    {},
    { name: '' },
    { name: 'a', client_id: 'first-key' },
    { name: 'a', client_id: 'a:b' },
    { name: 'a', rate_per_second: 0 },
    { name: 'a', secret: 'mine' },
  ])('are not made of %j', async (body) => {
    const answer = await make(body);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
  });

  it('are changed: the rate and the largest page', async () => {
    expect((await listed())[0]).toMatchObject({ client_id: 'first-key', max_per_page: 5_000 });
    const { client_id: id, max_per_page } = IssuedDiscoveryKey.parse((await make({ name: 'to change' })).body);
    expect(max_per_page).toBe(500);
    const change = (body: object, of = id) => api.staff.send('PATCH', `discovery-keys/${of}`, body);
    expect((await change({ max_per_page: 2_000 })).body).toMatchObject({ max_per_page: 2_000, rate_per_second: null });
    expect((await change({ rate_per_second: 9 })).body).toMatchObject({ max_per_page: 2_000, rate_per_second: 9 });
    expect((await change({ rate_per_second: null })).body).toMatchObject({
      max_per_page: 2_000,
      rate_per_second: null,
    });
    expect((await change({})).body).toMatchObject({ max_per_page: 2_000 });
    for (const body of [{ max_per_page: 0 }, { max_per_page: 5_001 }, { rate_per_second: 0 }, { name: 'x' }]) {
      const answer = await change(body);
      expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    }
    expect((await change({ max_per_page: 1 }, 'unknown')).status).toBe(404);
    await api.staff.send('DELETE', `discovery-keys/${id}`);
    const ended = await change({ max_per_page: 1 });
    expect([ended.status, codesOf(ended)]).toEqual([409, [40902]]);
  });

  it('are revoked for ever', async () => {
    const { client_id: id } = IssuedDiscoveryKey.parse((await make({ name: 'short-lived' })).body);
    const answer = await api.staff.send('DELETE', `discovery-keys/${id}`);
    expect([answer.status, DiscoveryKey.parse(answer.body).revoked_at]).toEqual([200, expect.any(String)]);
    expect((await make({ name: 'again', client_id: id })).status).toBe(400);
    expect((await api.staff.send('DELETE', 'discovery-keys/unknown')).status).toBe(404);
  });

  it('get a new secret, and accept the earlier one for a while', async () => {
    const { client_id: id, client_secret: first } = IssuedDiscoveryKey.parse(
      (await make({ name: 'rotated', with_secret: true })).body,
    );
    const status = async (secret?: string) =>
      (await call(`${api.url}/2/genres?client_id=${id}&client_secret=${secret}`, 'GET')).status;
    const rotate = (body?: object) => api.staff.send('POST', `discovery-keys/${id}/rotate`, body);
    const second = IssuedDiscoveryKey.parse((await rotate()).body);
    expect(Date.parse(second.previous_secret_until ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect([await status(first), await status(second.client_secret), await status('x')]).toEqual([200, 200, 403]);
    const third = IssuedDiscoveryKey.parse((await rotate({ overlap_seconds: 0 })).body);
    expect(third.previous_secret_until).toBeNull();
    expect([await status(second.client_secret), await status(third.client_secret)]).toEqual([403, 200]);
    expect(codesOf(await rotate({ overlap_seconds: -1 }))).toEqual([40001]);
  });

  it('without a secret, revoked or unknown cannot be rotated', async () => {
    const { client_id: plain } = IssuedDiscoveryKey.parse((await make({ name: 'no secret' })).body);
    const { client_id: revoked } = IssuedDiscoveryKey.parse((await make({ name: 'r', with_secret: true })).body);
    await api.staff.send('DELETE', `discovery-keys/${revoked}`);
    const rotated = [plain, revoked, 'unknown'].map((id) => api.staff.send('POST', `discovery-keys/${id}/rotate`));
    expect((await Promise.all(rotated)).map(codesOf)).toEqual([[40902], [40902], [40400]]);
  });

  it('are for staff only', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', '/first-key'],
    ] as const) {
      expect((await call(`${api.url}/backoffice/v1/discovery-keys${path}`, method)).status).toBe(401);
    }
  });
});
