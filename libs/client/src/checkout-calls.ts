import { STATUS_CODES } from 'node:http';
import { describeError, jsonIn } from './answer-body.js';
import { Deadline } from './deadline.js';
import type { Dependencies } from './dependencies.js';
import { retryAfterMs } from './retry-after.js';
import { type RetryPolicy, waitAfter } from './retry-policy.js';
import { authorizationFor, type Credentials } from './signature.js';

/** The address of the checkout service. */
export type CheckoutService = Readonly<{
  /** The api's address, or `{base_url}` of the specification, with or without the version. */
  url: string;
  /** The word in `Authorization: XX …` and in `X-XX-Transaction-Id`. */
  scheme: string;
}>;

/** Arguments of a listing lookup. Undefined ones are not sent. */
export type LookupQuery = Readonly<{
  event_id?: string | undefined;
  quantity?: number | string | undefined;
  country?: string | undefined;
  state?: string | undefined;
}>;

/** The transaction id to pass through, and a signal that aborts the call. */
export type CallContext = Readonly<{ transactionId?: string | undefined; signal?: AbortSignal | undefined }>;

/** A sent request. The signature covers `path` but not `search`. */
export type SentRequest = Readonly<{
  method: 'GET' | 'POST';
  path: string;
  search: string;
  body: string;
  transactionId: string | undefined;
}>;

/** `body` is the parsed JSON of the answer; undefined when it is not JSON. */
export type Answer = Readonly<{ answered: true; status: number; body: unknown; retryAfterMs?: number | undefined }>;
/** `error` is our own text. The purchase may exist or not: only the ping tells. */
export type TimeoutError = Readonly<{ answered: false; error: string }>;

/** One attempt. `waitMs` is set if another one follows. */
export type Attempt = Readonly<{ sent: SentRequest; outcome: Answer | TimeoutError; waitMs: number | undefined }>;

export type CallOptions = Readonly<{ retryPolicy?: RetryPolicy; onTry?: ((made: Attempt) => void) | undefined }>;

const VERSION = 'v1';
const RETRY_POLICY: RetryPolicy = { tries: 6, firstMs: 500, maxMs: 30_000 };
const GET_TIMEOUT_MS = 15_000;
// A purchase waits for the payment provider, which can take most of a minute.
const POST_TIMEOUT_MS = 60_000;
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Accepts any address that `npm start` prints: of the whole api, or of the checkout with or without the version. */
function addressOf(url: string): { origin: string; basePath: string } {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '').replace(new RegExp(`/${VERSION}$`), '');
  return { origin, basePath: `${path || '/checkout'}/${VERSION}` };
}

/** The platform's side of the checkout specification. Retries only a failed GET, and returns every outcome instead of throwing it. */
export class CheckoutCalls {
  private readonly origin: string;
  private readonly basePath: string;
  private readonly retryPolicy: RetryPolicy;

  constructor(
    private readonly service: CheckoutService,
    private readonly credentials: Credentials,
    private readonly dependencies: Dependencies,
    private readonly options: CallOptions = {},
  ) {
    const { origin, basePath } = addressOf(service.url);
    this.origin = origin;
    this.basePath = basePath;
    this.retryPolicy = options.retryPolicy ?? RETRY_POLICY;
  }

  async lookup(listingId: string, query: LookupQuery, context?: CallContext): Promise<Answer | TimeoutError> {
    const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
    const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, `${value}`])).toString();
    return await this.get(`/listings/${segment(listingId)}`, search && `?${search}`, context);
  }

  async purchase(id: string, context?: CallContext): Promise<Answer | TimeoutError> {
    return await this.get(`/purchases/${segment(id)}`, '', context);
  }

  /** Submits a purchase exactly once: a retry could buy twice. An abort does not cancel the purchase. */
  async buy(purchase: object, { transactionId, signal }: CallContext = {}): Promise<Answer | TimeoutError> {
    const body = JSON.stringify(purchase);
    const sent: SentRequest = { method: 'POST', path: `${this.basePath}/purchases`, search: '', body, transactionId };
    signal?.throwIfAborted();
    const outcome = await this.attempt(sent, POST_TIMEOUT_MS, signal);
    this.options.onTry?.({ sent, outcome, waitMs: undefined });
    return outcome;
  }

  private async get(path: string, search: string, { transactionId, signal }: CallContext = {}) {
    const sent: SentRequest = { method: 'GET', path: this.basePath + path, search, body: '', transactionId };
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.attempt(sent, GET_TIMEOUT_MS, signal);
      signal?.throwIfAborted();
      const waitMs = isFailure(outcome) ? this.waitAfter(tries, outcome) : undefined;
      this.options.onTry?.({ sent, outcome, waitMs });
      if (waitMs === undefined) return outcome;
      await this.dependencies.sleep(waitMs, signal);
    }
  }

  private waitAfter(tries: number, outcome: Answer | TimeoutError): number | undefined {
    const asked = outcome.answered ? outcome.retryAfterMs : undefined;
    return waitAfter({ tries, retryAfterMs: asked }, this.retryPolicy, this.dependencies.random);
  }

  private async attempt(sent: SentRequest, timeoutMs: number, signal?: AbortSignal): Promise<Answer | TimeoutError> {
    const deadline = new Deadline(timeoutMs, signal);
    try {
      const response = await this.dependencies.fetch(this.origin + sent.path + sent.search, {
        method: sent.method,
        headers: this.headers(sent),
        body: sent.method === 'POST' ? sent.body : null,
        // The signature is valid only for this path.
        redirect: 'manual',
        signal: deadline.signal,
      });
      const wait = retryAfterMs(response, this.dependencies.now());
      const body = await jsonIn(response, ANSWER_MAX_BYTES);
      return { answered: true, status: response.status, body, retryAfterMs: wait };
    } catch (error) {
      return { answered: false, error: signal?.aborted ? 'aborted' : describeError(error) };
    } finally {
      deadline.end();
    }
  }

  private headers(sent: SentRequest): Record<string, string> {
    const { scheme } = this.service;
    return {
      accept: 'application/json',
      authorization: authorizationFor(sent, this.credentials, scheme),
      'user-agent': 'willcall-client',
      ...(sent.transactionId !== undefined && { [`x-${scheme}-transaction-id`]: sent.transactionId }),
      ...(sent.method === 'POST' && { 'content-type': 'application/json' }),
    };
  }
}

/** A GET with this outcome is retried: no answer, 5xx or 429. */
export function isFailure(outcome: Answer | TimeoutError): boolean {
  return !outcome.answered || outcome.status >= 500 || outcome.status === 429;
}

export function statusLine({ status }: Pick<Answer, 'status'>): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

function segment(id: string): string {
  // A URL drops these segments, so the call would go to another route.
  if (id === '' || id === '.' || id === '..') throw new TypeError('An id is neither empty nor made of dots.');
  return encodeURIComponent(id);
}
