import { ApiError, apiErrorOf } from './api-error.js';
import { PATH_PREFIX } from './path-prefix.js';
import { serverAnswered, serverWasSilent } from './connection.js';
import { untilSignedInAgain } from './expired-session.js';
import { untilConfirmed } from './fresh-proof.js';
import { isInUse } from './use-of-page.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type RequestOptions = Readonly<{
  method?: Method;
  body?: unknown;
  /** A body that is not JSON, with its type. */
  file?: Blob;
  /** A form with files. The browser adds its type with the boundary. */
  form?: FormData;
  /** The version that the change expects. */
  ifMatch?: number;
  signal?: AbortSignal;
}>;

const NOT_SIGNED_IN = 40100;
const PROOF_NEEDED = 40112;

let clockDifferenceMs = 0;

/** Converts an instant of this machine's clock to the server's clock, to a second. */
export const serverTime = (at: number): number => at + clockDifferenceMs;

let csrfToken: string | undefined;

/** The token of the session, for requests that change something. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/**
 * Asks the back office API. `path` is relative to `/backoffice/v1/`. If the session has expired, or the server wants a proof of
 * who the person is, it waits for the person and repeats the request. Throws an ApiError.
 */
export async function ask<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  try {
    return await askOnce<Answer>(path, options);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.has(NOT_SIGNED_IN)) await untilSignedInAgain();
    else if (!error.has(PROOF_NEEDED) || !(await untilConfirmed())) throw error;
    return await askOnce<Answer>(path, options);
  }
}

/** The same, without another try. */
export async function askOnce<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = 'GET', body, file, form, ifMatch, signal } = options;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (method !== 'GET' && csrfToken !== undefined) headers['x-csrf-token'] = csrfToken;
  if (!isInUse()) headers['x-background'] = '1';
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (file) headers['content-type'] = file.type;
  if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`;
  const response = await fetch(`${PATH_PREFIX}/backoffice/v1/${path}`, {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file && { body: file }),
    ...(form && { body: form }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    serverWasSilent();
    throw new ApiError(0, [], [], null);
  });
  serverAnswered();
  clockDifferenceMs = Date.parse(response.headers.get('date') ?? '') - Date.now() || 0;
  if (!response.ok) throw await apiErrorOf(response);
  return (response.status === 204 ? undefined : withEveryDigit(await response.text())) as Answer;
}

type Reviver = (key: string, value: unknown, context?: Readonly<{ source?: string }>) => unknown;

/** A whole number beyond a double is shown as the text that came, where the browser tells it. No field of ours has such a number. */
function withEveryDigit(json: string): unknown {
  if (!/[\s,:[]-?\d{16}/.test(json)) return JSON.parse(json);
  const reviver: Reviver = (_key, value, context) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  return JSON.parse(json, reviver);
}
