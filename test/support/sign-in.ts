import { expect } from 'vitest';
import type { Session } from '#accounts/operator.contract';
import type { TestApi } from './api.js';
import { type Answer, call } from './callers.js';

export const PASSWORD = 'correct horse battery';

type Headers = Readonly<Record<string, string>>;
/** `from` are the headers of an address that nobody else comes from, by a proxy that is trusted. */
export type Person = Readonly<{ id: string; email: string; from: Headers }>;

/** The first cookie that an answer sets, as a browser sends it. */
export const cookieOf = ({ headers }: Pick<Answer, 'headers'>) => headers.get('set-cookie')?.split(';')[0] ?? '';

/** People of an api, and their sign-ins. */
export function signInOf(api: () => TestApi) {
  let people = 0;

  const session = (method: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
    call(`${api().url}/backoffice/v1/session`, method, body, headers);

  async function person(roles = ['support']): Promise<Person> {
    people += 1;
    const email = `person-${people}@example.com`;
    const added = await api().staff.send('POST', 'operators', { email, name: 'P', roles, password: PASSWORD });
    expect(added.status).toBe(201);
    const id = (added.body as { id: string }).id;
    return { id, email, from: { 'x-forwarded-for': `10.0.0.${people}` } };
  }

  async function signedIn({ email, from }: Pick<Person, 'email' | 'from'>) {
    const answer = await session('POST', { email, password: PASSWORD }, from);
    expect(answer.status).toBe(200);
    return { cookie: cookieOf(answer), csrf: (answer.body as Session).csrf_token };
  }

  return { person, session, signedIn };
}
