import { type ErrorEntry, errorsIn, jsonIn } from './answer-body.js';
import type { Dependencies } from './dependencies.js';
import type { OrderStatus } from './order-status.js';
import { retryAfterMs } from './retry-after.js';

/** Selects the entries that match every given key. Of a list, any value matches. */
export type PingFilters = Readonly<{
  status?: OrderStatus | readonly OrderStatus[];
  status_code?: number | readonly number[];
  event_id?: string | readonly string[];
  listing_id?: string | readonly string[];
  client_id?: string | readonly string[];
}>;

/** The address of the stream and the credentials of its reader. */
export type StreamSource = Readonly<{
  /** The address of Willcall, such as `https://tickets.example`, with or without a path. */
  url: string;
  /** A stream token (`wst_…`). */
  token: string;
  filters?: PingFilters;
}>;

/** The stream refuses this reader (a wrong token, an unknown filter …). A retry cannot help. */
export class StreamRequestError extends Error {
  override readonly name = 'StreamRequestError';

  constructor(
    readonly status: number,
    readonly errors: readonly ErrorEntry[],
  ) {
    const reasons = errors.map(({ code, message }) => `${code} ${message}`);
    super(`The stream was refused: ${[status, ...reasons].join(', ')}`);
  }
}

/** The stream broke or is not available now. The reader retries. */
export class StreamInterrupted extends Error {
  override readonly name = 'StreamInterrupted';

  constructor(
    reason: string,
    readonly retryAfterMs?: number,
  ) {
    super(reason);
  }
}

/** The database was restored or failed over, so positions may repeat. Thrown when no `onEpochChange` decides where to continue. */
export class StreamEpochChanged extends Error {
  override readonly name = 'StreamEpochChanged';

  constructor(
    readonly epoch: string,
    /** The position of the newest entry. */
    readonly last: number,
  ) {
    super(`The stream is in another epoch: ${epoch}`);
  }
}

const ERROR_MAX_BYTES = 64 * 1024;
const PASSING = new Set([408, 425, 429]);

/** Checks the arguments that would fail before any request. @throws TypeError */
export function assertReadable({ url, token, filters = {} }: StreamSource, after: number): void {
  if (!URL.canParse(url)) throw new TypeError('url is no address');
  if (!/^[!-~]+$/.test(token)) throw new TypeError('token is no stream token');
  // An empty list would be sent as no filter.
  if (Object.values(filters).some((values) => [values].flat().length === 0))
    throw new TypeError('a filter names nothing');
  if (!Number.isSafeInteger(after) || after < 0) throw new TypeError('after is no position');
}

export function streamUrl(
  { url, filters = {} }: StreamSource,
  route: string,
  query: Readonly<Record<string, number | string>>,
): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...filters, ...query })) {
    for (const value of [values].flat()) search.append(name, `${value}`);
  }
  const text = search.toString();
  return `${url.replace(/\/+$/, '')}/stream/v1/${route}${text && `?${text}`}`;
}

export function streamHeaders({ token }: StreamSource, accept: string): Record<string, string> {
  return { accept, authorization: `Bearer ${token}`, 'user-agent': 'willcall-client' };
}

export async function requestError(
  response: Response,
  { now }: Dependencies,
): Promise<StreamRequestError | StreamInterrupted | StreamEpochChanged> {
  const { status } = response;
  const body = await jsonIn(response, ERROR_MAX_BYTES);
  const errors = errorsIn(body) ?? [];
  const { epoch, last } = (body as { meta?: { epoch?: unknown; last?: unknown } } | null | undefined)?.meta ?? {};
  if (status === 409 && typeof epoch === 'string' && typeof last === 'number')
    return new StreamEpochChanged(epoch, last);
  const isFinal = status < 500 && !PASSING.has(status);
  return isFinal
    ? new StreamRequestError(status, errors)
    : new StreamInterrupted(`the answer was ${status}`, retryAfterMs(response, now()));
}
