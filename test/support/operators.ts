import type { Session } from '#accounts/operator.contract';
import type { Role } from '#accounts/permission.contract';
import { Operators } from '#accounts/operators';
import { Passwords } from '#accounts/people/passwords';
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

/** Sends a request of the back office. */
type Sender = Pick<SignedIn, 'send'>;

/** Adds an operator with these roles and signs in. @param by who adds it, `BACKOFFICE_TOKEN` unless told otherwise */
export async function signIn(
  { url, staff }: Pick<TestApi, 'url' | 'staff'>,
  roles: readonly Role[],
  sellers?: string[],
  by: Sender = staff,
): Promise<SignedIn> {
  const { who, email } = nextPerson();
  const added = await by.send('POST', 'operators', { ...who, roles, password: PASSWORD, ...(sellers && { sellers }) });
  if (added.status !== 201) throw new Error(`The operator was answered ${added.status}: ${added.text}`);
  return await signedIn(url, email, added.body as Pick<SignedIn, 'id' | 'name'>);
}

/** Adds an operator as the command line does, who can approve what `BACKOFFICE_TOKEN` has begun, and signs in. */
export async function secondPerson({ url, app }: TestApi, roles: readonly Role[]): Promise<SignedIn> {
  const { who, email } = nextPerson();
  const hash = await app.get(Passwords).hash(PASSWORD);
  const added = await app.get(Operators).add({ ...who, roles, sellers: null }, hash, 'cli:test');
  if (typeof added === 'string') throw new Error(added);
  return await signedIn(url, email, added.operator);
}

function nextPerson() {
  operators += 1;
  const email = `operator-${operators}@example.com`;
  return { email, who: { email, name: `Operator ${operators}` } };
}

async function signedIn(
  url: string,
  email: string,
  { id, name }: Readonly<{ id: string; name: string }>,
): Promise<SignedIn> {
  const answer = await call(`${url}/backoffice/v1/session`, 'POST', { email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`The sign-in was answered ${answer.status}: ${answer.text}`);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = { cookie, 'x-csrf-token': (answer.body as Session).csrf_token };
  const send: SignedIn['send'] = (method, path, body, headers = {}) =>
    call(`${url}/backoffice/v1/${path}`, method, body, { ...session, ...headers });
  return { id, name, cookie, send, get: (path) => send('GET', path) };
}
