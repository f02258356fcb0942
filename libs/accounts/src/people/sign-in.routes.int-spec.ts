import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { cookieOf, PASSWORD, signInOf } from '../../../../test/support/sign-in.js';
import { type AuditEntry, type AuditPage } from '../audit.contract.js';
import type { Operator, Session } from '../operator.contract.js';
import { FirstOperator } from '../first-operator.js';

const FIRST = { OPERATOR_EMAIL: 'first@example.com', OPERATOR_PASSWORD: 'the first password' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1', ...FIRST });
});
afterAll(() => api.close());

const { person, session, signedIn } = signInOf(() => api);

it('lets the operator of the settings in, as an administrator, and does not change a password later', async () => {
  const credentials = { email: FIRST.OPERATOR_EMAIL, password: FIRST.OPERATOR_PASSWORD };
  const from = { 'x-forwarded-for': '10.1.0.1' };
  const answer = await session('POST', credentials, from);
  expect(answer.body).toMatchObject({ operator: { email: credentials.email, roles: ['administrator'] } });
  await api.app.get(FirstOperator).create(credentials.email, 'another password');
  expect((await session('POST', credentials, from)).status).toBe(200);
  const { entries } = (await api.staff.send('GET', 'audit?action=operator.created&actor=system')).body as AuditPage;
  expect(entries).toHaveLength(1);
});

describe('signing in', () => {
  it('returns who is signed in, and sets a cookie that no script can read', async () => {
    const { id, email, from } = await person();
    const answer = await session('POST', { email: email.toUpperCase(), password: PASSWORD }, from);
    expect(answer.body).toEqual({
      operator: {
        id,
        email,
        name: 'P',
        roles: ['support'],
        sellers: null,
        state: 'active',
        totp: false,
        last_sign_in_at: expect.any(String),
      },
      permissions: ['orders:read', 'orders:act', 'orders:note', 'orders:reveal', 'listings:read', 'delivery:read'],
      csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_at: expect.any(String),
      previous_sign_in_at: null,
      idle_minutes: 15,
      proof: ['password'],
      totp_required: false,
      recovery_codes_left: 0,
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^willcall=wss_[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/);
    const again = await session('GET', undefined, { cookie: cookieOf(answer) });
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });

  it('over HTTPS sets a cookie that no other host can set', async () => {
    const { email, from } = await person();
    const https = { ...from, 'x-forwarded-proto': 'https' };
    const answer = await session('POST', { email, password: PASSWORD }, https);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-willcall=wss_\w+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await session('GET', undefined, { ...https, cookie: cookieOf(answer) })).status).toBe(200);
  });

  it('never takes over a session that the browser brought along', async () => {
    const one = await person();
    const { cookie } = await signedIn(one);
    const other = await person();
    const answer = await session('POST', { email: other.email, password: PASSWORD }, { ...other.from, cookie });
    expect(cookieOf(answer)).not.toBe(cookie);
    const kept = await session('GET', undefined, { cookie });
    expect((kept.body as Session).operator.email).toBe(one.email);
  });

  it('says the same of a wrong password, an unknown person and a disabled one', async () => {
    const { id, email, from } = await person();
    const wrong = await session('POST', { email, password: 'wrong' }, from);
    const unknown = await session('POST', { email: 'nobody@example.com', password: PASSWORD }, from);
    await api.staff.send('PATCH', `operators/${id}`, { state: 'disabled' });
    const disabled = await session('POST', { email, password: PASSWORD }, from);
    expect([wrong, unknown, disabled].map((answer) => [answer.status, answer.text])).toEqual(
      Array(3).fill([401, wrong.text]),
    );
    expect(codesOf(wrong)).toEqual([40110]);
  });
});

describe('a session', () => {
  it('changes nothing without its CSRF token', async () => {
    const who = await person(['administrator']);
    const { cookie, csrf } = await signedIn(who);
    const rename = (headers: Record<string, string>) =>
      call(`${api.url}/backoffice/v1/operators/${who.id}`, 'PATCH', { name: 'Q' }, { cookie, ...headers });
    const other = (await signedIn(await person())).csrf;
    for (const headers of [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': other }]) {
      const answer = await rename(headers);
      expect([answer.status, codesOf(answer)]).toEqual([403, [40310]]);
    }
    expect((await rename({ 'x-csrf-token': csrf })).body).toMatchObject({ name: 'Q' });
  });

  it('ends by signing out', async () => {
    const { cookie, csrf } = await signedIn(await person());
    expect((await session('DELETE', undefined, { cookie })).status).toBe(403);
    const ended = await session('DELETE', undefined, { cookie, 'x-csrf-token': csrf });
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await session('GET', undefined, { cookie })).status).toBe(401);
  });

  it.each([
    ['15 minutes without a use', `last_seen_at = last_seen_at - interval '15 minutes'`],
    ['12 hours', `created_at = created_at - interval '12 hours'`],
  ])('ends after %s', async (_, change) => {
    const { cookie } = await signedIn(await person());
    expect((await session('GET', undefined, { cookie })).status).toBe(200);
    await api.pool.query(`update sessions set ${change}`);
    const answer = await session('GET', undefined, { cookie });
    expect([answer.status, codesOf(answer)]).toEqual([401, [40100]]);
  });

  it.each([
    ['the header X-Background', 'GET', { 'x-background': '1' }, false],
    ['an event stream', 'GET', { accept: 'text/event-stream' }, false],
    ['no such header', 'GET', { accept: 'application/json' }, true],
    ['a change, whatever its headers', 'PUT', { 'x-background': '1' }, true],
  ])('is kept alive by uses, not by what a page asks by itself: %s', async (_, method, headers, isUse) => {
    const { cookie, csrf } = await signedIn(await person());
    await api.pool.query(`update sessions set last_seen_at = last_seen_at - interval '14 minutes'`);
    const asked = { cookie, 'x-csrf-token': csrf, ...headers };
    await call(`${api.url}/backoffice/v1/session`, method === 'GET' ? 'GET' : 'POST', undefined, asked);
    await call(`${api.url}/backoffice/v1/orders/none/tags`, method, method === 'GET' ? undefined : [], asked);
    await api.pool.query(`update sessions set last_seen_at = last_seen_at - interval '2 minutes'`);
    expect((await session('GET', undefined, { cookie })).status).toBe(isUse ? 200 : 401);
  });

  it('of everybody else ends when the password changes', async () => {
    const who = await person();
    const [own, elsewhere] = [await signedIn(who), await signedIn(who)];
    const change = (body: object) =>
      call(`${api.url}/backoffice/v1/operators/${who.id}`, 'PATCH', body, {
        cookie: own.cookie,
        'x-csrf-token': own.csrf,
      });
    for (const current of [{}, { current_password: 'wrong' }]) {
      expect(codesOf(await change({ password: 'another good one', ...current }))).toEqual([40001]);
    }
    expect((await change({ password: 'another good one', current_password: PASSWORD })).status).toBe(200);
    expect((await session('GET', undefined, { cookie: own.cookie })).status).toBe(200);
    expect((await session('GET', undefined, { cookie: elsewhere.cookie })).status).toBe(401);
    expect((await session('POST', { email: who.email, password: PASSWORD }, who.from)).status).toBe(401);
    const again = await session('POST', { email: who.email, password: 'another good one' }, who.from);
    expect(again.status).toBe(200);
  });

  it('lets nobody change their own roles', async () => {
    const who = await person();
    const { cookie, csrf } = await signedIn(who);
    const headers = { cookie, 'x-csrf-token': csrf };
    const url = `${api.url}/backoffice/v1/operators/${who.id}`;
    for (const change of [{ roles: ['administrator'] }, { sellers: ['x'] }, { email: 'a@b' }, { state: 'active' }]) {
      expect(codesOf(await call(url, 'PATCH', change, headers)), JSON.stringify(change)).toEqual([40300]);
    }
    expect((await call(url, 'PATCH', { name: 'New name' }, headers)).status).toBe(200);
  });
});

it.each([
  ['operators', { email: 'blank@example.com', roles: ['viewer'] }],
  ['tokens', { scopes: ['admin'] }],
])('has names that can be read in %s', async (list, rest) => {
  expect(codesOf(await api.staff.send('POST', list, { ...rest, name: '   ' }))).toEqual([40001]);
  expect((await api.staff.send('POST', list, { ...rest, name: ' Ada ' })).body).toMatchObject({ name: 'Ada' });
});

describe('a code', () => {
  it('is needed once the app is confirmed, and each is good once', async () => {
    const { id, email, from } = await person();
    const { body } = await api.staff.send('POST', `operators/${id}/totp`);
    const { secret, otpauth_url: url } = body as { secret: string; otpauth_url: string };
    expect(url).toContain(secret);
    const app = new TOTP({ secret });
    const code = (step: number) => app.generate({ timestamp: Date.now() + step * 30_000 });
    const sign = (given?: string) =>
      session('POST', { email, password: PASSWORD, ...(given && { code: given }) }, from);

    expect((await sign()).status).toBe(200);
    expect(codesOf(await api.staff.send('POST', `operators/${id}/totp/confirm`, { code: '000000' }))).toEqual([40001]);
    const confirmed = code(-1);
    expect((await api.staff.send('POST', `operators/${id}/totp/confirm`, { code: confirmed })).status).toBe(200);

    const missing = await sign();
    expect([missing.status, codesOf(missing)]).toEqual([401, [40111]]);
    for (const none of ['', null]) {
      expect(codesOf(await session('POST', { email, password: PASSWORD, code: none }, from))).toEqual([40111]);
    }
    expect(codesOf(await sign(confirmed))).toEqual([40110]);
    const now = code(0);
    expect((await sign(now)).status).toBe(200);
    expect(codesOf(await sign(now))).toEqual([40110]);
    expect(codesOf(await session('POST', { email, password: 'wrong', code: code(1) }, from))).toEqual([40110]);
    expect((await api.staff.send('DELETE', `operators/${id}/totp`)).status).toBe(204);
    expect((await sign()).status).toBe(200);
  });

  it('belongs to an operator who exists', async () => {
    const unknown = 'operators/opr_nobody/totp';
    expect((await api.staff.send('POST', unknown)).status).toBe(404);
    expect((await api.staff.send('POST', `${unknown}/confirm`, { code: '123456' })).status).toBe(404);
    expect((await api.staff.send('DELETE', unknown)).status).toBe(404);
    expect((await api.staff.get('audit?subject=operator:opr_nobody')).body).toMatchObject({ entries: [] });
  });

  it('of a new app replaces the old one only once it is confirmed', async () => {
    const { id, email, from } = await person();
    const start = async () =>
      new TOTP({ secret: ((await api.staff.send('POST', `operators/${id}/totp`)).body as { secret: string }).secret });
    const first = await start();
    const confirm = { code: first.generate({ timestamp: Date.now() - 30_000 }) };
    expect((await api.staff.send('POST', `operators/${id}/totp/confirm`, confirm)).status).toBe(200);
    await start();
    const sign = await session('POST', { email, password: PASSWORD, code: first.generate() }, from);
    expect(sign.status).toBe(200);
  });
});

it('is recorded in the audit log, with the address and without a secret', async () => {
  const who = await person();
  const { cookie, csrf } = await signedIn(who);
  await session('POST', { email: who.email, password: 'wrong' }, who.from);
  await session('DELETE', undefined, { cookie, 'x-csrf-token': csrf });
  const { body, text } = await api.staff.get(`audit?actor=operator:${who.id}`);
  const summary = ({ action, subject, address }: AuditEntry) => [action, subject, address];
  expect((body as AuditPage).entries.map(summary)).toEqual([
    ['session.signed_out', `operator:${who.id}`, '127.0.0.1'],
    ['session.signed_in', `operator:${who.id}`, who.from['x-forwarded-for']],
  ]);
  const { name } = (await api.staff.get(`operators/${who.id}`)).body as Operator;
  expect((body as AuditPage).entries[0]).toMatchObject({ actor_name: name, subject_name: name });
  const refused = (await api.staff.get('audit?action=session.refused&limit=1')).body as AuditPage;
  const attacked = {
    actor: 'system',
    actor_name: null,
    subject: `operator:${who.id}`,
    address: who.from['x-forwarded-for'],
  };
  expect(refused.entries[0]).toMatchObject(attacked);
  expect(refused.next_cursor).not.toBeNull();
  expect(text).not.toContain(PASSWORD);
  await session('POST', { email: 'nobody@example.com', password: 'wrong' }, who.from);
  const nobody = (await api.staff.get('audit?action=session.refused&limit=1')).body as AuditPage;
  expect(nobody.entries[0]).toMatchObject({ actor: 'system', subject: 'operator:unknown' });
});

it('lists the entries of the audit log by days as well as by instants', async () => {
  const count = async (query: string) => ((await api.staff.get(`audit?${query}`)).body as AuditPage).entries.length;
  expect(await count('from=2000-01-01&limit=1')).toBe(1);
  expect(await count('to=2000-01-01')).toBe(0);
  expect(await count(`from=${encodeURIComponent('2000-01-01T02:00:00+02:00')}&limit=1`)).toBe(1);
  expect(codesOf(await api.staff.get('audit?from=0000-01-01T00:00:00Z'))).toEqual([40001]);
});

it('lets a token end at a time that is still to come, and that the database can keep', async () => {
  const token = (expires_at: string) => api.staff.send('POST', 'tokens', { name: 'T', scopes: ['admin'], expires_at });
  expect(codesOf(await token('0000-01-01T00:00:00Z'))).toEqual([40001]);
  for (const past of ['2000-01-01', new Date(Date.now() - 1_000).toISOString(), '2026-01-01T00:00:00+14:00']) {
    const answer = await token(past);
    expect([answer.status, codesOf(answer)], past).toEqual([400, [40001]]);
    expect(answer.text).toContain('expires_at must be in the future');
  }
  expect((await token('2031-01-01')).body).toMatchObject({ expires_at: '2031-01-01T00:00:00.000Z' });
});
