import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Session, SessionProof, SignInOptions, SignInRequest } from '#accounts/operator.contract';
import type { Permission } from '#accounts/permission.contract';
import { ApiError } from './api-error.js';
import { forgetShows } from './show-names.js';
import { askOnce, setCsrfToken } from './http.js';

const SESSION_KEY = ['session'];

/** Who is signed in; null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async (): Promise<Session | null> => {
    try {
      return remembered(await askOnce('GET session'));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

/** How people can sign in here. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => askOnce('GET session/options'),
  staleTime: Infinity,
});

/** How many characters a new password must have. The server has the last word, so it may be asked while that is not known. */
export const shortestPassword = (options: SignInOptions | undefined): number => options?.password_min_length ?? 8;

/** In characters, as the server counts. */
export const lengthOf = (password: string): number => Array.from(password).length;

export async function signIn(client: QueryClient, request: SignInRequest): Promise<Session> {
  const session = remembered(await askOnce('POST session', { body: request }));
  client.setQueryData(SESSION_KEY, session);
  return session;
}

/** Proves to the server who the person is. */
export async function confirmIdentity(client: QueryClient, proof: SessionProof): Promise<void> {
  const session = remembered(await askOnce('POST session/confirm', { body: proof }));
  client.setQueryData(SESSION_KEY, session);
}

/** Whether the same person has signed in again in another tab. The session is that one then. */
export async function isSignedInElsewhere(client: QueryClient, operatorId: string): Promise<boolean> {
  const session = await askOnce('GET session').catch(() => undefined);
  if (session?.operator.id !== operatorId) return false;
  client.setQueryData(SESSION_KEY, remembered(session));
  return true;
}

/** Clears all data that was read, because the next person may see less. */
export async function signOut(client: QueryClient): Promise<void> {
  await askOnce('DELETE session');
  setCsrfToken(undefined);
  client.clear();
  forgetShows();
}

function remembered(session: Session): Session {
  setCsrfToken(session.csrf_token);
  return session;
}

export const may = (session: Session | null | undefined, permission: Permission): boolean =>
  session?.permissions.includes(permission) ?? false;
