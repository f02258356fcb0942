import type { Session } from '#contracts/backoffice/operator';
import type { Role } from '#contracts/backoffice/permission';
import type { TestApi } from './api.js';
import { type Answer, call } from './callers.js';

const PASSWORD = 'correct horse battery';

let operators = 0;

/** A person of the back office who has signed in. Paths are relative to `/backoffice/v1/`. */
export type SignedIn = Readonly<{
  id: string;
  name: string;
  cookie: string;
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string): Promise<Answer>;
}>;

/** Adds an operator with these roles and signs in. */
export async function signIn({ url, staff }: TestApi, roles: readonly Role[], sellers?: string[]): Promise<SignedIn> {
  operators += 1;
  const who = { email: `operator-${operators}@example.com`, name: `Operator ${operators}` };
  const added = await staff.send('POST', 'operators', {
    ...who,
    roles,
    password: PASSWORD,
    ...(sellers && { sellers }),
  });
  if (added.status !== 201) throw new Error(`The operator was answered ${added.status}: ${added.text}`);
  const answer = await call(`${url}/backoffice/v1/session`, 'POST', { email: who.email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`The sign-in was answered ${answer.status}: ${answer.text}`);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = { cookie, 'x-csrf-token': (answer.body as Session).csrf_token };
  const send: SignedIn['send'] = (method, path, body, headers = {}) =>
    call(`${url}/backoffice/v1/${path}`, method, body, { ...session, ...headers });
  return { id: (added.body as { id: string }).id, name: who.name, cookie, send, get: (path) => send('GET', path) };
}
