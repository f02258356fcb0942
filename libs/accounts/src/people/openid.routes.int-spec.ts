import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from '../audit.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { call } from '../../../../test/support/callers.js';
import { openIdBrowser } from '../../../../test/support/openid-browser.js';
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
    OIDC_SCOPES: 'openid email profile groups',
    OIDC_TRUSTED_DOMAINS: 'Acme.example,acme-tickets.example',
    OIDC_ROLES: 'groups=tickets-admins:administrator,groups=help desk:support',
  });
});
afterAll(async () => {
  await api?.close();
  await provider?.stop();
});

const { visit, local, begin, signIn } = openIdBrowser(() => ({ api, provider }));

const problemOf = async (subject: string) => (await signIn(subject)).page.searchParams.get('problem');
const person = (subject: string, groups: readonly string[], more: object = {}) =>
  provider.people.set(subject, {
    email: `${subject}@example.com`,
    email_verified: true,
    name: `Name of ${subject}`,
    groups,
    ...more,
  });

async function operator(email: string, roles = ['viewer']): Promise<string> {
  const { body } = await api.staff.send('POST', 'operators', { email, name: 'Known', roles });
  return (body as { id: string }).id;
}

describe('signing in with the OpenID provider', () => {
  it('is offered', async () => {
    const { body } = await call(`${api.url}/backoffice/v1/session/options`, 'GET');
    expect(body).toEqual({ password: true, password_min_length: 12, openid: true });
  });

  it('makes an operator with the roles of the claims, and leads back to the page', async () => {
    person('ada', ['help desk', 'others']);
    const { page, session } = await signIn('ada', '/orders?status=pending');
    expect(page.href).toBe(`${PUBLIC_URL}/sign-in?next=%2Forders%3Fstatus%3Dpending`);
    expect(session?.operator).toMatchObject({ email: 'ada@example.com', name: 'Name of ada', roles: ['support'] });
    const { body } = await api.staff.get(`audit?subject=operator:${session?.operator.id}`);
    expect((body as AuditPage).entries.map(({ action }) => action)).toEqual(['session.signed_in', 'operator.created']);
  });

  it('finds the same operator again, also with another address, and follows the claims', async () => {
    person('grace', ['help desk']);
    const { session: first } = await signIn('grace');
    person('grace', ['tickets-admins'], { email: 'new@example.com' });
    const { session: second } = await signIn('grace');
    expect(second?.operator).toMatchObject({ id: first?.operator.id, roles: ['administrator'] });
  });

  it('links an operator by an address that the provider has verified', async () => {
    const id = await operator('Linus@example.com');
    person('linus', ['help desk']);
    expect((await signIn('linus')).session?.operator).toMatchObject({ id, name: 'Known', roles: ['support'] });
  });

  it.each([
    ['by the text "true"', 'cognito@example.com', 'true'],
    ['by its domain, where the provider says nothing', 'entra@acme.example', undefined],
  ])('takes an address as verified %s', async (_how, email, isVerified) => {
    const id = await operator(email);
    person(email, ['help desk'], { email, email_verified: isVerified });
    expect((await signIn(email)).session?.operator.id).toBe(id);
  });

  it.each([
    ['says that it is not verified', 'victim1@example.com', false],
    ['says so as text', 'victim2@example.com', 'false'],
    ['says so of an address of a trusted domain', 'victim3@acme.example', false],
    ['says nothing of an address of another domain', 'victim4@example.com', undefined],
    ['says nothing of an address below a trusted domain', 'victim5@mail.acme.example', undefined],
    ['sends a number', 'victim6@example.com', 1],
  ])('lets nobody take over an operator by an address if the provider %s', async (_how, email, isVerified) => {
    await operator(email, ['administrator']);
    person(`mallory-${email}`, ['help desk'], { email, email_verified: isVerified });
    expect(await problemOf(`mallory-${email}`)).toBe('unknown');
  });

  it('lets nobody take over an operator who is linked to somebody else', async () => {
    person('first', ['help desk']);
    await signIn('first');
    person('second', ['help desk'], { email: 'first@example.com' });
    expect(await problemOf('second')).toBe('unknown');
  });

  it('refuses people without a role, and operators who are disabled or removed', async () => {
    person('nobody', ['others']);
    expect(await problemOf('nobody')).toBe('unknown');
    person('former', ['help desk']);
    const { session } = await signIn('former');
    await api.staff.send('PATCH', `operators/${session?.operator.id}`, { state: 'disabled' });
    expect(await problemOf('former')).toBe('unknown');
    await api.staff.send('DELETE', `operators/${session?.operator.id}`);
    expect(await problemOf('former')).toBe('unknown');
    const { body } = await api.staff.get('audit?action=session.refused&limit=1');
    expect((body as AuditPage).entries[0]?.detail).toEqual({ reason: 'unknown', by: 'openid' });
  });

  it('ends only in the browser in which it began, and once', async () => {
    person('eve', ['help desk']);
    const { location, pending } = await begin();
    const back = local(await provider.signIn(location.href, 'eve'));
    for (const cookie of ['', (await begin()).pending, 'willcall-openid=forged']) {
      expect((await visit(back, cookie)).location.searchParams.get('problem')).toBe('failed');
    }
    expect((await visit(back, pending)).location.searchParams.get('problem')).toBeNull();
    expect((await visit(back, pending)).location.searchParams.get('problem')).toBe('failed');
  });

  it('may be cancelled at the provider', async () => {
    const { pending } = await begin();
    const { location } = await visit(`${local(CALLBACK)}?error=access_denied&state=x`, pending);
    expect(location.href).toBe(`${PUBLIC_URL}/sign-in?problem=cancelled`);
  });

  it('leads back to the sign-in page while the provider does not answer', async () => {
    const other = await startTestApi({
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
    });
    const { location } = await visit(`${other.url}/backoffice/v1/session/openid`);
    expect(location.searchParams.get('problem')).toBe('failed');
    await other.close();
  });
});

it('is not there without a provider', async () => {
  const plain = await startTestApi();
  const path = `${plain.url}/backoffice/v1/session`;
  expect((await call(`${path}/options`, 'GET')).body).toEqual({
    password: true,
    password_min_length: 12,
    openid: false,
  });
  expect((await call(`${path}/openid`, 'GET')).status).toBe(404);
  expect((await call(`${path}/openid/callback?code=1`, 'GET')).status).toBe(404);
  await plain.close();
});
