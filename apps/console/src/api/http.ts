import type { Answer, Call, PagedRoute, Preview, Previewed, Route } from '../../../../types/backoffice-calls.js';
import { ApiError, apiErrorOf } from './api-error.js';
import { pathOf, type Place } from './path-of.js';
import { PATH_PREFIX } from './path-prefix.js';
import { serverAnswered, serverWasSilent } from './connection.js';
import { untilSignedInAgain } from './expired-session.js';
import { untilConfirmed } from './fresh-proof.js';
import { NOT_SIGNED_IN, PROOF_NEEDED } from './error-codes.js';
import { isInUse } from './use-of-page.js';

export type Request<R extends Route> = Call<R> &
  Readonly<{
    signal?: AbortSignal;
    /** It reaches the server even if the page goes away. */
    keepalive?: boolean;
  }>;

/** It may be left out if the route needs nothing. */
type Requested<R extends Route> = object extends Call<R> ? [Request<R>?] : [Request<R>];

type AnyRequest = Place &
  Readonly<{
    body?: unknown;
    /** A body that is not JSON, with its type. */
    file?: Blob;
    /** A form with files. The browser adds its type with the boundary. */
    form?: FormData;
    ifMatch?: number | undefined;
    signal?: AbortSignal;
    keepalive?: boolean;
  }>;

let clockDifferenceMs = 0;

/** Converts an instant of this machine's clock to the server's clock, to a second. */
export const serverTime = (at: number): number => at + clockDifferenceMs;

let csrfToken: string | undefined;

/** The token of the session, for requests that change something. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/**
 * Asks the back office API. If the session has expired, or the server wants a proof of who the person is, it waits for the person and
 * repeats the request. Throws an ApiError.
 *
 * @example
 * const order = await ask('GET orders/{id}', { path: { id } });
 */
export async function ask<R extends Route>(route: R, ...[request]: Requested<R>): Promise<Answer<R>> {
  return await sendTwice<Answer<R>>(route, request);
}

/** Asks what a request would do. The request says itself that it is a dry run. */
export async function preview<R extends Previewed>(route: R, request: Request<R>): Promise<Preview<R>> {
  return await sendTwice<Preview<R>>(route, request);
}

/** The cursor of the first page. */
export const FIRST_PAGE: string | undefined = undefined;

/** Asks for one page of a list. */
export async function askPage<R extends PagedRoute>(
  route: R,
  request: Request<R>,
  page: Readonly<{ cursor: string | undefined; signal: AbortSignal }>,
): Promise<Answer<R>> {
  const { query, ...rest }: AnyRequest = request;
  const { cursor, signal } = page;
  return await sendTwice<Answer<R>>(route, { ...rest, query: { ...query, cursor }, signal });
}

/** Like `ask`, without another try. */
export async function askOnce<R extends Route>(route: R, ...[request]: Requested<R>): Promise<Answer<R>> {
  return await send<Answer<R>>(route, request);
}

async function sendTwice<Answered>(route: Route, request: AnyRequest | undefined): Promise<Answered> {
  try {
    return await send<Answered>(route, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.has(NOT_SIGNED_IN)) await untilSignedInAgain();
    else if (!error.has(PROOF_NEEDED) || !(await untilConfirmed())) throw error;
    return await send<Answered>(route, request);
  }
}

async function send<Answered>(route: Route, request: AnyRequest = {}): Promise<Answered> {
  const { body, file, form, ifMatch, signal, keepalive = false } = request;
  const method = route.slice(0, route.indexOf(' '));
  const headers: Record<string, string> = { accept: 'application/json' };
  if (method !== 'GET' && csrfToken !== undefined) headers['x-csrf-token'] = csrfToken;
  if (!isInUse()) headers['x-background'] = '1';
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (file) headers['content-type'] = file.type;
  if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`;
  const response = await fetch(addressOf(route, request), {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    keepalive,
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
  // The one place where the page believes the api: the route's type and its answer come from the same contract.
  return (response.status === 204 ? undefined : withEveryDigit(await response.text())) as Answered;
}

/** Where a browser finds a route. */
export const addressOf = (route: Route, request: Place): string =>
  `${PATH_PREFIX}/backoffice/v1/${pathOf(route, request)}`;

type Reviver = (key: string, value: unknown, context?: Readonly<{ source?: string }>) => unknown;

/** A whole number beyond a double is shown as the text that came, where the browser tells it. No field of ours has such a number. */
function withEveryDigit(json: string): unknown {
  if (!/[\s,:[]-?\d{16}/.test(json)) return JSON.parse(json);
  const reviver: Reviver = (_key, value, context) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
  return JSON.parse(json, reviver);
}
