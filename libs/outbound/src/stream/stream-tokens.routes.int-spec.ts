import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { LivePings } from '../../../../test/support/ping-stream/live-pings.js';
import { until } from '../../../../test/support/until.js';

type Token = { id: string; name: string; token: string; revoked_at: string | null; last_used_at: string | null };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const read = (token: string) =>
  call(`${api.url}/stream/v1/pings`, 'GET', undefined, { authorization: `Bearer ${token}` });

it('creates a token, shows its last use, and revokes it for live readers too', async () => {
  const made = await api.staff.send('POST', 'stream-tokens', { name: 'Warehouse' });
  expect(made.status).toBe(201);
  const { id, token } = made.body as Token;
  expect(made.body).toEqual({
    id,
    token,
    name: 'Warehouse',
    expires_at: expect.any(String),
    created_at: expect.any(String),
  });
  expect((await read(token)).status).toBe(200);
  const listed = await until(async () => {
    const { body } = await api.staff.get('stream-tokens');
    const { stream_tokens } = body as { stream_tokens: Token[] };
    return stream_tokens[0]?.last_used_at && stream_tokens;
  });
  expect(listed).toEqual([
    {
      id,
      name: 'Warehouse',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      revoked_at: null,
      last_used_at: expect.any(String),
    },
  ]);

  const reader = await LivePings.open(api.url, { token });
  const staff = await LivePings.open(api.url);
  expect([reader.response.status, staff.response.status]).toEqual([200, 200]);
  expect((await api.staff.send('DELETE', `stream-tokens/${id}`)).status).toBe(204);
  const began = performance.now();
  expect(codesOf(await read(token))).toEqual([40100]);
  await until(() => reader.over);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(staff.over).toBe(false);
  staff.close();
});

it('is for staff, whose token reads the stream but not the other way round', async () => {
  const { body } = await api.staff.send('POST', 'stream-tokens', { name: 'Screen' });
  const headers = { authorization: `Bearer ${(body as Token).token}` };
  const answer = await call(`${api.url}/backoffice/v1/stream-tokens`, 'GET', undefined, headers);
  expect([answer.status, codesOf(answer)]).toEqual([401, [40100]]);
});

it.each([{}, { name: '' }, { name: 'a\tb' }, { name: 'x'.repeat(201) }, { name: 'a', scope: 'all' }])(
  'refuses %j and makes nothing',
  async (body) => {
    const before = await api.staff.get('stream-tokens');
    const answer = await api.staff.send('POST', 'stream-tokens', body);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect((await api.staff.get('stream-tokens')).body).toEqual(before.body);
  },
);

it('answers 404 for an unknown token', async () => {
  expect(codesOf(await api.staff.send('DELETE', 'stream-tokens/stk_none'))).toEqual([40400]);
});
