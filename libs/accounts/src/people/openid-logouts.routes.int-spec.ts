import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from '../audit.contract.js';
import { OpenIdLogouts } from './openid-logouts.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { type Answer, call, codesOf } from '../../../../test/support/callers.js';
import { newKey, OPENID_CLIENT, OpenIdDouble } from '../../../../test/support/openid-double.js';
import { openIdBrowser, type OpenIdSignIn } from '../../../../test/support/openid-browser.js';

const CALLBACK = `${PUBLIC_URL}/backoffice/v1/session/openid/callback`;

let provider: OpenIdDouble;
let api: TestApi;

const startApi = ({ issuer }: OpenIdDouble) =>
  startTestApi({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: OPENID_CLIENT.id,
    OIDC_CLIENT_SECRET: OPENID_CLIENT.secret,
    OIDC_ROLES: '*:viewer',
  });

beforeAll(async () => {
  provider = await OpenIdDouble.start(CALLBACK);
  api = await startApi(provider);
});
afterAll(async () => {
  await api?.close();
  await provider?.stop();
});

const { signIn } = openIdBrowser(() => ({ api, provider }));

let people = 0;

type Known = OpenIdSignIn & Readonly<{ sub: string; sid: string; operatorId: string }>;

async function signedIn(sub = `person-${(people += 1)}`, more: object = {}): Promise<Known> {
  provider.people.set(sub, { email: `${sub}@example.com`, email_verified: true, name: sub, ...more });
  const signed = await signIn(sub);
  const operatorId = signed.session?.operator.id ?? '';
  const { rows } = await api.pool.query<{ openid_sid: string }>(
    'select openid_sid from sessions where operator_id = $1 order by created_at desc limit 1',
    [operatorId],
  );
  return { ...signed, sub, operatorId, sid: rows[0]?.openid_sid ?? '' };
}

async function logOut(token: string | undefined, url = api.url): Promise<Answer> {
  const response = await fetch(`${url}/backoffice/v1/session/openid/logout`, {
    method: 'POST',
    body: new URLSearchParams(token === undefined ? {} : { logout_token: token }),
  });
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}

const isIn = async ({ cookie }: Known) =>
  (await call(`${api.url}/backoffice/v1/session`, 'GET', undefined, { cookie })).status === 200;

describe('a log-out by the OpenID provider', () => {
  it('ends the session that it names, with an entry in the audit log, and no other one', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const again = await signedIn(one.sub);
    expect([one.sid, again.sid].every((sid) => sid !== '') && one.sid !== again.sid).toBe(true);
    const answer = await logOut(await provider.logoutToken({ sid: one.sid, sub: one.sub }));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect([await isIn(one), await isIn(again), await isIn(other)]).toEqual([false, true, true]);
    const { body } = await api.staff.get(`audit?subject=operator:${one.operatorId}&limit=1`);
    expect((body as AuditPage).entries).toMatchObject([
      { actor: 'system', action: 'session.signed_out', detail: { by: 'openid' } },
    ]);
    expect((await logOut(await provider.logoutToken({ sid: again.sid }))).status).toBe(200);
    expect(await isIn(again)).toBe(false);
  });

  it('ends all sessions of a person whom it names, but those by password', async () => {
    const [one, again] = [await signedIn('both'), await signedIn('both')];
    const password = 'correct horse battery';
    await api.staff.send('PATCH', `operators/${one.operatorId}`, { password });
    const [openid, later] = [await signedIn('both'), await signedIn('both')];
    const own = await call(`${api.url}/backoffice/v1/session`, 'POST', { email: 'both@example.com', password });
    expect([await isIn(one), await isIn(again), await isIn(openid), await isIn(later)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect((await logOut(await provider.logoutToken({ sub: 'both' }))).status).toBe(200);
    expect([await isIn(openid), await isIn(later)]).toEqual([false, false]);
    const cookie = own.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await call(`${api.url}/backoffice/v1/session`, 'GET', undefined, { cookie })).status).toBe(200);
  });

  it('ends nothing of somebody else who is named beside the session, or of nobody', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    expect((await logOut(await provider.logoutToken({ sid: one.sid, sub: other.sub }))).status).toBe(200);
    expect((await logOut(await provider.logoutToken({ sid: 'unknown' }))).status).toBe(200);
    expect((await logOut(await provider.logoutToken({ sub: 'unknown' }))).status).toBe(200);
    expect([await isIn(one), await isIn(other)]).toEqual([true, true]);
  });

  const seconds = (from: number) => Math.floor(Date.now() / 1_000) + from;
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };

  it.each([
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another client', { aud: 'other' }],
    ['of no time', { iat: undefined }],
    ['that is too old', { iat: seconds(-3_600), exp: undefined }],
    ['that has ended', { iat: seconds(-300), exp: seconds(-120) }],
    ['of the future', { iat: seconds(300), exp: seconds(600) }],
    ['without an id', { jti: undefined }],
    ['without an event', { events: undefined }],
    ['of another event', { events: { 'https://schemas.example/event': {} } }],
    ['whose event is none', { events: { [Object.keys(event)[0] ?? '']: true } }],
    ['with a nonce, as ID tokens have', { nonce: 'n' }],
    ['that names nobody', { sid: undefined, sub: undefined }],
  ])('is refused by a token %s, and ends nothing', async (_, claims) => {
    const one = await signedIn('refused');
    const answer = await logOut(await provider.logoutToken({ sid: one.sid, sub: one.sub, ...claims }));
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(await isIn(one)).toBe(true);
  });

  it('is refused by a token that the provider has not signed, or for another purpose', async () => {
    const one = await signedIn();
    const claims = { sid: one.sid, sub: one.sub };
    const good = await provider.logoutToken(claims);
    const [, payload = ''] = good.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const tokens = [
      await provider.logoutToken(claims, { key: await newKey() }),
      await provider.logoutToken(claims, { typ: 'at+jwt' }),
      none,
      `${good.slice(0, -4)}AAAA`,
      'no token',
      '',
      'x'.repeat(20_000),
      undefined,
    ];
    for (const token of tokens) expect((await logOut(token)).status, token?.slice(0, 40)).toBe(400);
    expect(await isIn(one)).toBe(true);
    expect((await logOut(good)).status).toBe(200);
  });

  it('counts once: a token that is sent again is refused', async () => {
    const one = await signedIn();
    const token = await provider.logoutToken({ sid: 'other' });
    const statuses = (await Promise.all([logOut(token), logOut(token)])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    expect((await logOut(token)).status).toBe(400);
    expect(await isIn(one)).toBe(true);
  });

  it('that comes before the sign-in has ended here lets no session begin', async () => {
    const one = await signedIn();
    expect(
      (await logOut(await provider.logoutToken({ sub: one.sub, iat: Math.floor(Date.now() / 1_000) + 30 }))).status,
    ).toBe(200);
    const late = await signIn(one.sub);
    expect([late.session, late.page.searchParams.get('problem')]).toEqual([undefined, 'unknown']);
    await api.pool.query(`update openid_logouts set at = at - interval '2 hours'`);
    await api.app.get(OpenIdLogouts).prune();
    expect((await api.pool.query('select from openid_logouts')).rowCount).toBe(0);
    expect((await signIn(one.sub)).session).toBeDefined();
  });
});

it('a session is no longer than the provider says', async () => {
  const end = Math.floor(Date.now() / 1_000) + 600;
  const one = await signedIn('short', { session_expiry: end });
  expect(one.session?.expires_at).toBe(new Date(end * 1_000).toISOString());
  await api.pool.query(`update sessions set ends_at = now() where operator_id = $1`, [one.operatorId]);
  expect(await isIn(one)).toBe(false);
  const over = await signedIn('over', { session_expiry: end - 700 });
  expect(over.session).toBeUndefined();
  const long = await signedIn('long', { session_expiry: end + 86_400 });
  expect(Date.parse(long.session?.expires_at ?? '')).toBeLessThanOrEqual(Date.now() + 12 * 3_600_000);
});

it('nobody signs in by an ID token that is signed with another key than the provider publishes', async () => {
  const forger = await OpenIdDouble.start(CALLBACK);
  const own = await startApi(forger);
  const browser = openIdBrowser(() => ({ api: own, provider: forger }));
  forger.people.set('mallory', { email: 'mallory@example.com', email_verified: true });
  forger.publishesOtherKey = true;
  const { page, session } = await browser.signIn('mallory');
  expect([session, page.searchParams.get('problem')]).toEqual([undefined, 'failed']);
  const { body } = await own.staff.get('operators');
  expect(body).toEqual({ operators: [] });
  await own.close();
  await forger.stop();
});

it('is not there without a provider, and says so while it does not answer', async () => {
  const plain = await startTestApi();
  expect((await logOut('x', plain.url)).status).toBe(404);
  await plain.close();
  const alone = await startTestApi({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' });
  const token = await provider.logoutToken({ sub: 'x' });
  expect((await logOut(token, alone.url)).status).toBe(503);
  await alone.close();
});
