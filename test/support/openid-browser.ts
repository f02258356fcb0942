import { expect } from 'vitest';
import type { Session } from '#accounts/operator.contract';
import type { TestApi } from './api.js';
import { PUBLIC_URL } from './api-environment.js';
import { call } from './callers.js';
import type { OpenIdDouble } from './openid-double.js';

export type Visit = Readonly<{ location: URL; cookies: readonly string[] }>;

export type OpenIdSignIn = Readonly<{ page: URL; session: Session | undefined; cookie: string }>;

/** Signs people in with an OpenID provider, as their browsers do. */
export function openIdBrowser(parts: () => Readonly<{ api: TestApi; provider: OpenIdDouble }>) {
  async function visit(url: string, cookie = ''): Promise<Visit> {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    expect(response.status).toBe(302);
    return { location: new URL(response.headers.get('location') ?? ''), cookies };
  }

  const local = (address: string) => address.replace(PUBLIC_URL, parts().api.url);

  async function begin(next = '/orders'): Promise<Visit & { pending: string }> {
    const begun = await visit(`${parts().api.url}/backoffice/v1/session/openid?next=${encodeURIComponent(next)}`);
    return { ...begun, pending: begun.cookies[0] ?? '' };
  }

  /** Goes through the whole sign-in. Returns the last address, and the session if there is one. */
  async function signIn(subject: string, next?: string): Promise<OpenIdSignIn> {
    const { location, pending } = await begin(next);
    const back = await parts().provider.signIn(location.href, subject);
    const { location: page, cookies } = await visit(local(back), pending);
    const cookie = cookies.find((line) => line.startsWith('willcall=')) ?? '';
    const { status, body } = await call(`${parts().api.url}/backoffice/v1/session`, 'GET', undefined, { cookie });
    return { page, session: status === 200 ? (body as Session) : undefined, cookie };
  }

  return { visit, local, begin, signIn };
}
