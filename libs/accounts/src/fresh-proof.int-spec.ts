import { readFileSync } from 'node:fs';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from './audit.contract.js';
import type { Session, SessionList } from './operator.contract.js';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { type Answer, call, codesOf } from '../../../test/support/callers.js';
import { PASSWORD, signInOf } from '../../../test/support/sign-in.js';

/** Every route that gives access to somebody, or takes it. Written by hand, so that a missing `@FreshProof` turns this red. */
const ROUTES = [
  'post clients',
  'patch clients/{client_id}',
  'delete clients/{client_id}',
  'post clients/{client_id}/restore',
  'post clients/{client_id}/rotate',
  'delete clients/{client_id}/secrets/{secret_id}',
  'post discovery-keys',
  'patch discovery-keys/{client_id}',
  'delete discovery-keys/{client_id}',
  'post discovery-keys/{client_id}/rotate',
  'post operators',
  'patch operators/{id}',
  'delete operators/{id}',
  'post operators/{id}/totp',
  'delete operators/{id}/totp',
  'post operators/{id}/totp/confirm',
  'post operators/{id}/totp/recovery-codes',
  'post stream-tokens',
  'delete stream-tokens/{id}',
  'post tokens',
  'delete tokens/{id}',
  'post webhooks',
  'post webhooks/{id}/rotate',
];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => api.close());

const people = signInOf(() => api);

type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Somebody who signed in 6 minutes ago, and whose page has been in use since. */
async function longSignedIn(roles = ['administrator']) {
  const who = await people.person(roles);
  const { cookie, csrf } = await people.signedIn(who);
  const send: Send = (method, path, body, headers = {}) =>
    call(`${api.url}/backoffice/v1/${path}`, method, body, { cookie, 'x-csrf-token': csrf, ...who.from, ...headers });
  await passSixMinutes(who.id);
  const confirm = (body: object = { password: PASSWORD }) => send('POST', 'session/confirm', body);
  return { ...who, cookie, send, confirm };
}

const passSixMinutes = (id: string) =>
  api.pool.query(
    `update sessions set created_at = created_at - interval '6 minutes', proven_at = proven_at - interval '6 minutes'
     where operator_id = $1`,
    [id],
  );

const mailsTo = async (email: string) => {
  const { rows } = await api.pool.query<{ change: string }>(
    'select change from account_mails where email = $1 order by at, id',
    [email],
  );
  return rows.map(({ change }) => change);
};

describe('a fresh proof', () => {
  it('is asked of people on all routes that give or take access, and on no others', async () => {
    const { send } = await longSignedIn();
    const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
    };
    const asking: string[] = [];
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        if (!security?.some((scheme) => 'staff' in scheme) || method === 'get') continue;
        const route = path.replace('/backoffice/v1/', '');
        const answer = await send(method.toUpperCase(), route.replaceAll(/\{\w+\}/g, '99'));
        if (answer.status === 401) expect(codesOf(answer)).toEqual([40112]);
        if (answer.status === 401) asking.push(`${method} ${route}`);
      }
    }
    expect(asking.sort()).toEqual([...ROUTES].sort());
  });

  it('is not asked of programs', async () => {
    expect((await api.staff.send('POST', 'tokens', { name: 'T', scopes: ['admin'] })).status).toBe(201);
  });

  it('is there for 5 minutes after signing in, and after each confirmation', async () => {
    const { id, send, confirm } = await longSignedIn();
    const make = async () => (await send('POST', 'stream-tokens', { name: 'warehouse' })).status;
    expect(await make()).toBe(401);
    const confirmed = await confirm();
    expect([confirmed.status, (confirmed.body as Session).operator.id]).toEqual([200, id]);
    expect(await make()).toBe(201);
    await passSixMinutes(id);
    expect(await make()).toBe(401);
    const { body } = await api.staff.get(`audit?actor=operator:${id}&action=session.confirmed`);
    expect((body as AuditPage).entries).toHaveLength(1);
  });

  it('says how to give it, and comes before what an Idempotency-Key keeps', async () => {
    const { id, send, confirm } = await longSignedIn();
    const key = { 'idempotency-key': 'one' };
    await confirm();
    expect((await send('POST', 'stream-tokens', { name: 'a' }, key)).status).toBe(201);
    await passSixMinutes(id);
    const refused = await send('POST', 'stream-tokens', { name: 'a' }, key);
    expect([refused.status, codesOf(refused)]).toEqual([401, [40112]]);
    expect(refused.text).toContain('send the password to POST /backoffice/v1/session/confirm');
    await confirm();
    expect((await send('POST', 'stream-tokens', { name: 'a' }, key)).headers.get('idempotent-replay')).toBe('true');
  });

  it('is not needed for the own name alone', async () => {
    const { id, send } = await longSignedIn(['support']);
    expect((await send('PATCH', `operators/${id}`, { name: 'Ada' })).status).toBe(200);
    const password = { name: 'Ada', password: 'another good one', current_password: PASSWORD };
    expect(codesOf(await send('PATCH', `operators/${id}`, password))).toEqual([40112]);
    expect(codesOf(await send('PATCH', `operators/${id}`, []))).not.toEqual([40112]);
  });

  it('takes no wrong password, and after ten of them none', async () => {
    const { email, from, send, confirm } = await longSignedIn();
    for (let tries = 0; tries < 10; tries += 1) {
      const wrong = await confirm({ password: 'wrong' });
      expect([wrong.status, codesOf(wrong)]).toEqual([401, [40110]]);
    }
    const locked = await confirm();
    expect([locked.status, Number(locked.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await people.session('POST', { email, password: PASSWORD }, from)).status).toBe(429);
    expect((await send('GET', 'session')).status).toBe(200);
    expect((await send('POST', 'tokens', { name: 'T', scopes: ['admin'] })).status).toBe(401);
  });

  it('needs a session with its CSRF token', async () => {
    const { confirm, cookie } = await longSignedIn();
    const url = `${api.url}/backoffice/v1/session/confirm`;
    expect(codesOf(await call(url, 'POST', { password: PASSWORD }))).toEqual([40100]);
    expect(codesOf(await call(url, 'POST', { password: PASSWORD }, { cookie }))).toEqual([40310]);
    expect((await confirm()).status).toBe(200);
  });

  it('needs a code of whoever has an authenticator app', async () => {
    const { id, confirm } = await longSignedIn();
    const { body } = await api.staff.send('POST', `operators/${id}/totp`);
    const app = new TOTP({ secret: (body as { secret: string }).secret });
    await confirm();
    const code = (step: number) => app.generate({ timestamp: Date.now() + step * 30_000 });
    // In another session, so that this one does not end.
    const own = await people.signedIn(
      await api.staff
        .get(`operators/${id}`)
        .then(({ body: operator }) => ({ ...(operator as { email: string }), from: {} })),
    );
    const inOwn: Send = (method, path, sent) =>
      call(`${api.url}/backoffice/v1/${path}`, method, sent, { cookie: own.cookie, 'x-csrf-token': own.csrf });
    expect((await inOwn('POST', `operators/${id}/totp/confirm`, { code: code(-1) })).status).toBe(200);
    await passSixMinutes(id);
    expect(codesOf(await inOwn('POST', 'session/confirm', { password: PASSWORD }))).toEqual([40111]);
    expect(codesOf(await inOwn('POST', 'session/confirm', { password: PASSWORD, code: '000000' }))).toEqual([40110]);
    expect(codesOf(await inOwn('POST', 'tokens', { name: 'T', scopes: ['admin'] }))).toEqual([40112]);
    expect((await inOwn('POST', 'session/confirm', { password: PASSWORD, code: code(0) })).status).toBe(200);
    expect((await inOwn('POST', 'tokens', { name: 'T', scopes: ['admin'] })).status).toBe(201);
  });
});

describe('the sessions of a person', () => {
  it('are listed with address and browser, and all others end at once', async () => {
    const who = await people.person();
    const elsewhere = await people.signedIn(who);
    const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
    const { cookie, csrf } = await people.signedIn({ ...who, from: { ...who.from, ...browser } });
    await people.signedIn(await people.person());
    const all = (method: string) =>
      call(`${api.url}/backoffice/v1/session/all`, method, undefined, { cookie, 'x-csrf-token': csrf });
    const { sessions } = (await all('GET')).body as SessionList;
    const address = who.from['x-forwarded-for'];
    expect(sessions).toMatchObject([
      { current: true, address, browser: 'Firefox on Linux' },
      { current: false, address, browser: null },
    ]);
    expect(JSON.stringify(sessions)).not.toContain(cookie.split('=')[1]);
    expect((await all('DELETE')).status).toBe(204);
    expect(((await all('GET')).body as SessionList).sessions).toMatchObject([{ current: true }]);
    expect((await people.session('GET', undefined, { cookie: elsewhere.cookie })).status).toBe(401);
  });

  it('are nobody else’s', async () => {
    expect((await call(`${api.url}/backoffice/v1/session/all`, 'GET')).status).toBe(401);
    expect((await api.staff.get('session/all')).status).toBe(401);
  });
});

describe('a change of the account', () => {
  const change = (id: string, body: object) => api.staff.send('PATCH', `operators/${id}`, body);
  const isOpen = async (cookie: string) => (await people.session('GET', undefined, { cookie })).status === 200;

  it('of the e-mail address ends the other sessions, and is told to both addresses', async () => {
    const one = await longSignedIn();
    const elsewhere = await people.signedIn(one);
    await one.confirm();
    const email = `new-${one.email}`;
    expect((await one.send('PATCH', `operators/${one.id}`, { email })).status).toBe(200);
    expect([await isOpen(one.cookie), await isOpen(elsewhere.cookie)]).toEqual([true, false]);
    expect([await mailsTo(one.email), await mailsTo(email)]).toEqual([['email'], ['email']]);
    const again = await people.signedIn({ email, from: one.from });
    expect((await change(one.id, { name: 'Another name' })).status).toBe(200);
    expect(await isOpen(again.cookie)).toBe(true);
    expect((await change(one.id, { email: one.email })).status).toBe(200);
    expect([await isOpen(one.cookie), await isOpen(again.cookie)]).toEqual([false, false]);
  });

  it('of the password is told', async () => {
    const { id, email } = await people.person();
    await change(id, { password: 'another good one' });
    expect(await mailsTo(email)).toEqual(['password']);
    const { rows } = await api.pool.query('select by_self from account_mails where email = $1', [email]);
    expect(rows).toEqual([{ by_self: false }]);
  });

  it('of the authenticator app ends the other sessions, and is told', async () => {
    const { id, email, send, confirm, cookie } = await longSignedIn();
    const elsewhere = await people.signedIn(await people.person().then((other) => ({ ...other, email })));
    await confirm();
    const { body } = await send('POST', `operators/${id}/totp`);
    const app = new TOTP({ secret: (body as { secret: string }).secret });
    expect((await send('POST', `operators/${id}/totp/confirm`, { code: app.generate() })).status).toBe(200);
    expect([await isOpen(cookie), await isOpen(elsewhere.cookie)]).toEqual([true, false]);
    expect((await api.staff.send('DELETE', `operators/${id}/totp`)).status).toBe(204);
    expect(await isOpen(cookie)).toBe(false);
    expect(await mailsTo(email)).toEqual(['authenticator', 'authenticator_removed']);
  });
});
