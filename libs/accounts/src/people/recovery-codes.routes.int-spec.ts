import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from '../audit.contract.js';
import type { RecoveryCodes, Session } from '../operator.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { cookieOf, PASSWORD, type Person, signInOf } from '../../../../test/support/sign-in.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1', REQUIRE_TOTP: 'operations,auditor' });
});
afterAll(() => api.close());

const people = signInOf(() => api);

/** Who has signed in without a code. */
async function inSession(who: Person, code?: string) {
  const answer = await people.session('POST', { email: who.email, password: PASSWORD, code }, who.from);
  const headers = { ...who.from, cookie: cookieOf(answer), 'x-csrf-token': (answer.body as Session).csrf_token };
  return (method: string, path: string, body?: unknown) =>
    call(`${api.url}/backoffice/v1/${path}`, method, body, headers);
}
type Send = Awaited<ReturnType<typeof inSession>>;

async function setUp(send: Send, id: string) {
  const { body } = await send('POST', `operators/${id}/totp`);
  const app = new TOTP({ secret: (body as { secret: string }).secret });
  const code = app.generate({ timestamp: Date.now() - 30_000 });
  const confirmed = await send('POST', `operators/${id}/totp/confirm`, { code });
  expect(confirmed.status).toBe(200);
  return { app, codes: (confirmed.body as RecoveryCodes).recovery_codes };
}

const leftOf = async (send: Send) => ((await send('GET', 'session')).body as Session).recovery_codes_left;

describe('recovery codes', () => {
  const signsIn = async ({ email, from }: Person, code: string) => {
    const answer = await people.session('POST', { email, password: PASSWORD, code }, from);
    return answer.status === 200 ? 200 : codesOf(answer);
  };

  it('are ten, which the database cannot tell', async () => {
    const who = await people.person();
    const send = await inSession(who);
    const { codes } = await setUp(send, who.id);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    expect(await leftOf(send)).toBe(10);
    const { rows } = await api.pool.query<{ stored: string }>('select r::text as stored from recovery_codes r');
    const stored = rows.map((row) => row.stored).join();
    for (const code of codes) {
      expect(stored).not.toContain(Buffer.from(code).toString('hex'));
      expect(stored).not.toContain(Buffer.from(code.replaceAll('-', '')).toString('hex'));
    }
  });

  it('are good once each instead of a code of the app, however they are typed', async () => {
    const [who, other] = [await people.person(), await people.person()];
    const { codes, app } = await setUp(await inSession(who), who.id);
    await setUp(await inSession(other), other.id);
    const [first = '', second = '', third = ''] = codes;
    expect(await signsIn(who, first)).toBe(200);
    expect(await signsIn(who, first)).toEqual([40110]);
    expect(await signsIn(who, ` ${second.toUpperCase().replaceAll('-', ' ')} `)).toBe(200);
    expect(await signsIn(other, third)).toEqual([40110]);
    const both = await Promise.all([signsIn(who, third), signsIn(who, third)]);
    expect(both.filter((answer) => answer === 200)).toHaveLength(1);
    expect(await signsIn(who, app.generate())).toBe(200);
    const { rows } = await api.pool.query('select change from account_mails where email = $1 order by at, id', [
      who.email,
    ]);
    expect(rows.map(({ change }: { change: string }) => change)).toEqual([
      'authenticator',
      ...Array<string>(3).fill('recovery_code_used'),
    ]);
    const { body } = await api.staff.get(`audit?actor=operator:${who.id}&action=session.signed_in`);
    const ways = (body as AuditPage).entries.map(({ detail }) => detail['by']);
    expect(ways.filter((way) => way === 'recovery_code')).toHaveLength(3);
  });

  it('prove who somebody is', async () => {
    const who = await people.person(['administrator']);
    const send = await inSession(who);
    const { codes } = await setUp(send, who.id);
    await api.pool.query(`update sessions set created_at = created_at - interval '6 minutes'`);
    expect(codesOf(await send('POST', 'tokens', { name: 'T', scopes: ['admin'] }))).toEqual([40112]);
    expect((await send('POST', 'session/confirm', { password: PASSWORD, code: codes[0] })).status).toBe(200);
    expect((await send('POST', 'tokens', { name: 'T', scopes: ['admin'] })).status).toBe(201);
    expect(await leftOf(send)).toBe(9);
  });

  it('can be made anew, and then the earlier ones are no longer good', async () => {
    const who = await people.person();
    const send = await inSession(who);
    expect(codesOf(await send('POST', `operators/${who.id}/totp/recovery-codes`))).toEqual([40902]);
    const { codes } = await setUp(send, who.id);
    const renewed = await send('POST', `operators/${who.id}/totp/recovery-codes`);
    const { recovery_codes: fresh } = renewed.body as RecoveryCodes;
    expect(fresh).toHaveLength(10);
    expect(await signsIn(who, codes[0] ?? '')).toEqual([40110]);
    expect(await signsIn(who, fresh[0] ?? '')).toBe(200);
    const other = await people.person();
    expect(codesOf(await send('POST', `operators/${other.id}/totp/recovery-codes`))).toEqual([40300]);
  });

  it('end with the app', async () => {
    const who = await people.person();
    const { codes } = await setUp(await inSession(who), who.id);
    await api.staff.send('DELETE', `operators/${who.id}/totp`);
    const send = await inSession(who);
    expect(await leftOf(send)).toBe(0);
    await setUp(send, who.id);
    expect(await signsIn(who, codes[0] ?? '')).toEqual([40110]);
  });
});

describe('REQUIRE_TOTP', () => {
  it('lets whoever has no authenticator app only set it up', async () => {
    const who = await people.person(['support', 'operations']);
    const send = await inSession(who);
    expect((await send('GET', 'session')).body).toMatchObject({ totp_required: true });
    const other = await people.person();
    const closed = [
      ['GET', 'orders'],
      ['GET', 'roles'],
      ['POST', 'jobs'],
      ['PATCH', `operators/${who.id}`],
      ['DELETE', `operators/${who.id}/totp`],
      ['POST', `operators/${other.id}/totp`],
      ['POST', `operators/${who.id}/totp/recovery-codes`],
    ];
    for (const [method = '', path = ''] of closed) {
      const answer = await send(method, path, method === 'PATCH' ? { name: 'Ada' } : undefined);
      expect([answer.status, codesOf(answer)], path).toEqual([403, [40311]]);
    }
    expect((await send('GET', '../../stream/v1/pings')).status).toBe(403);
    await setUp(send, who.id);
    expect((await send('GET', 'session')).body).toMatchObject({ totp_required: false });
    expect((await send('GET', 'orders')).status).toBe(200);
  });

  it('asks nothing of other roles and of programs', async () => {
    const send = await inSession(await people.person(['support']));
    expect((await send('GET', 'session')).body).toMatchObject({ totp_required: false });
    expect((await send('GET', 'orders')).status).toBe(200);
    expect((await api.staff.get('orders')).status).toBe(200);
  });

  it('keeps the app of whoever must have one, but lets others remove a lost one', async () => {
    const who = await people.person(['administrator', 'operations']);
    const send = await inSession(who);
    await setUp(send, who.id);
    expect(codesOf(await send('DELETE', `operators/${who.id}/totp`))).toEqual([40902]);
    expect((await send('GET', 'orders')).status).toBe(200);
    expect((await api.staff.send('DELETE', `operators/${who.id}/totp`)).status).toBe(204);
    const again = await inSession(who);
    expect(codesOf(await again('GET', 'orders'))).toEqual([40311]);
  });
});
