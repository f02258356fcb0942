import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../operator.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { OPENID_CLIENT, OpenIdDouble } from '../../../../test/support/openid-double.js';

const CALLBACK = `${PUBLIC_URL}/backoffice/v1/session/openid/callback`;

let provider: OpenIdDouble;
let api: TestApi;
beforeAll(async () => {
  provider = await OpenIdDouble.start(CALLBACK);
  api = await startTestApi({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OPENID_CLIENT.id,
    OIDC_CLIENT_SECRET: OPENID_CLIENT.secret,
    OIDC_ROLES: '*:administrator',
    REQUIRE_TOTP: 'administrator',
  });
});
afterAll(async () => {
  await api?.close();
  await provider?.stop();
});

async function visit(url: string, cookie: string): Promise<Readonly<{ location: URL; cookies: readonly string[] }>> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return { location: new URL(response.headers.get('location') ?? ''), cookies };
}

const OPENID = '/backoffice/v1/session/openid';

/** Goes to the provider and back. @param tamper what somebody does to the address of the provider */
async function goThrough(
  subject: string,
  query: string,
  cookie = '',
  tamper: (address: URL) => void = () => undefined,
) {
  const { location, cookies } = await visit(`${api.url}${OPENID}${query}`, cookie);
  if (!location.href.startsWith(provider.issuer)) return { location, cookies };
  tamper(location);
  const back = await provider.signIn(location.href, subject);
  return await visit(back.replace(PUBLIC_URL, api.url), [cookie, ...cookies].join('; '));
}

async function signedIn(subject: string) {
  provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true, name: subject });
  const { cookies } = await goThrough(subject, '');
  const cookie = cookies.find((line) => line.startsWith('willcall=')) ?? '';
  const { body } = await call(`${api.url}/backoffice/v1/session`, 'GET', undefined, { cookie });
  const session = body as Session;
  await api.pool.query(`update sessions set created_at = created_at - interval '6 minutes' where operator_id = $1`, [
    session.operator.id,
  ]);
  const makeToken = () =>
    call(
      `${api.url}/backoffice/v1/tokens`,
      'POST',
      { name: 'T', scopes: ['admin'] },
      { cookie, 'x-csrf-token': session.csrf_token },
    );
  return { cookie, session, makeToken };
}

describe('a proof by the OpenID provider', () => {
  it('is what a person without a password is asked for', async () => {
    const { session, makeToken } = await signedIn('ada');
    expect(session.proof).toEqual(['openid']);
    const refused = await makeToken();
    expect([refused.status, codesOf(refused)]).toEqual([401, [40112]]);
    expect(refused.text).toContain('sign in again at GET /backoffice/v1/session/openid?confirm=true');
    expect(refused.text).not.toContain('password');
  });

  it('needs another sign-in there, also of somebody whom the provider still knows', async () => {
    const { cookie, makeToken } = await signedIn('grace');
    const { location } = await visit(`${api.url}${OPENID}?confirm=true`, cookie);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    const back = await goThrough('grace', '?confirm=true', cookie);
    expect(back.location.href).toBe(`${PUBLIC_URL}/confirmed`);
    expect(back.cookies.some((line) => line.startsWith('willcall=wss'))).toBe(false);
    expect((await makeToken()).status).toBe(201);
  });

  it('is none if the provider does not say when the person signed in', async () => {
    const { cookie, makeToken } = await signedIn('linus');
    const { location } = await goThrough('linus', '?confirm=true', cookie, ({ searchParams }) => {
      searchParams.delete('max_age');
      searchParams.delete('prompt');
    });
    expect(location.href).toBe(`${PUBLIC_URL}/confirmed?problem=failed`);
    expect((await makeToken()).status).toBe(401);
  });

  it('is none by somebody else, without a session, or in another session', async () => {
    const { cookie, makeToken } = await signedIn('victim');
    const mallory = await signedIn('mallory');
    const unknown = `${PUBLIC_URL}/confirmed?problem=unknown`;
    expect((await goThrough('mallory', '?confirm=true', cookie)).location.href).toBe(unknown);
    expect((await goThrough('victim', '?confirm=true')).location.href).toBe(`${PUBLIC_URL}/confirmed?problem=failed`);
    const { location, cookies } = await visit(`${api.url}${OPENID}?confirm=true`, mallory.cookie);
    const back = (await provider.signIn(location.href, 'mallory')).replace(PUBLIC_URL, api.url);
    expect((await visit(back, [cookie, ...cookies].join('; '))).location.href).toBe(unknown);
    expect([(await makeToken()).status, (await mallory.makeToken()).status]).toEqual([401, 401]);
  });
});

it('REQUIRE_TOTP leaves second factors of the provider to the provider', async () => {
  const { session, cookie } = await signedIn('edsger');
  expect(session.totp_required).toBe(false);
  expect((await call(`${api.url}/backoffice/v1/operators`, 'GET', undefined, { cookie })).status).toBe(200);
});
