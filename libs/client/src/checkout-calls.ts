import { STATUS_CODES } from 'node:http';
import { describeFault, jsonIn } from './answer-body.js';
import { Deadline } from './deadline.js';
import type { Dependencies } from './dependencies.js';
import { retryAfterMs } from './retry-after.js';
import { type RetryPolicy, waitAfter } from './retry-policy.js';
import { authorizationFor, type Credentials } from './signature.js';

/** Where the calls go. */
export type CheckoutService = Readonly<{
  /** The api's address, or `{base_url}` of the specification, with or without the version. */
  url: string;
  /** The word in `Authorization: XX …` and in `X-XX-Transaction-Id`. */
  scheme: string;
}>;

/** Arguments of a listing lookup; those left out are not sent. */
export type LookupQuery = Readonly<{
  event_id?: string | undefined;
  quantity?: number | string | undefined;
  country?: string | undefined;
  state?: string | undefined;
}>;

/** What goes with a call: the transaction id that is passed through, and a signal that gives the call up. */
export type CallContext = Readonly<{ transactionId?: string | undefined; signal?: AbortSignal | undefined }>;

/** A request as it went out: `path` is what was signed, `search` what was not. */
export type Sent = Readonly<{
  method: 'GET' | 'POST';
  path: string;
  search: string;
  body: string;
  transactionId: string | undefined;
}>;

/** `body` is what the JSON of the answer says; undefined when it is none. */
export type Answer = Readonly<{ answered: true; status: number; body: unknown; retryAfterMs?: number | undefined }>;
/** `error` is a text of ours. Of a purchase nobody knows then whether it was made: only the ping will tell. */
export type NoAnswer = Readonly<{ answered: false; error: string }>;

/** One try. `waitMs` where another one follows. */
export type Try = Readonly<{ sent: Sent; outcome: Answer | NoAnswer; waitMs: number | undefined }>;

export type CallOptions = Readonly<{ retryPolicy?: RetryPolicy; onTry?: ((made: Try) => void) | undefined }>;

const VERSION = 'v1';
const RETRY_POLICY: RetryPolicy = { tries: 6, firstMs: 500, maxMs: 30_000 };
const GET_TIMEOUT_MS = 15_000;
// A purchase waits for the payment provider, which may take most of a minute.
const POST_TIMEOUT_MS = 60_000;
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Takes the address as `npm start` prints it: of the whole api, or of the checkout with or without the version. */
function addressOf(url: string): { origin: string; basePath: string } {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '').replace(new RegExp(`/${VERSION}$`), '');
  return { origin, basePath: `${path || '/checkout'}/${VERSION}` };
}

/**
 * The platform's part: calls a checkout service, signs, and tries a failed GET again (checkout specification, "Limits").
 * A purchase is never sent twice. What the service does or does not do is told by the outcome, never thrown.
 */
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

  async lookup(listingId: string, query: LookupQuery, context?: CallContext): Promise<Answer | NoAnswer> {
    const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
    const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, `${value}`])).toString();
    return await this.get(`/listings/${segment(listingId)}`, search && `?${search}`, context);
  }

  /** Reads a purchase. */
  async purchase(id: string, context?: CallContext): Promise<Answer | NoAnswer> {
    return await this.get(`/purchases/${segment(id)}`, '', context);
  }

  /** Submits a purchase, once whatever comes of it: to try again could be to buy twice. To give up takes nothing back. */
  async buy(purchase: object, { transactionId, signal }: CallContext = {}): Promise<Answer | NoAnswer> {
    const body = JSON.stringify(purchase);
    const sent: Sent = { method: 'POST', path: `${this.basePath}/purchases`, search: '', body, transactionId };
    signal?.throwIfAborted();
    const outcome = await this.attempt(sent, POST_TIMEOUT_MS, signal);
    this.options.onTry?.({ sent, outcome, waitMs: undefined });
    return outcome;
  }

  private async get(path: string, search: string, { transactionId, signal }: CallContext = {}) {
    const sent: Sent = { method: 'GET', path: this.basePath + path, search, body: '', transactionId };
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.attempt(sent, GET_TIMEOUT_MS, signal);
      signal?.throwIfAborted();
      const waitMs = isFailure(outcome) ? this.waitAfter(tries, outcome) : undefined;
      this.options.onTry?.({ sent, outcome, waitMs });
      if (waitMs === undefined) return outcome;
      await this.dependencies.sleep(waitMs, signal);
    }
  }

  private waitAfter(tries: number, outcome: Answer | NoAnswer): number | undefined {
    const asked = outcome.answered ? outcome.retryAfterMs : undefined;
    return waitAfter({ tries, retryAfterMs: asked }, this.retryPolicy, this.dependencies.random);
  }

  private async attempt(sent: Sent, timeoutMs: number, signal?: AbortSignal): Promise<Answer | NoAnswer> {
    const deadline = new Deadline(timeoutMs, signal);
    try {
      const response = await this.dependencies.fetch(this.origin + sent.path + sent.search, {
        method: sent.method,
        headers: this.headers(sent),
        body: sent.method === 'POST' ? sent.body : null,
        // What is signed is signed for this path.
        redirect: 'manual',
        signal: deadline.signal,
      });
      const wait = retryAfterMs(response, this.dependencies.now());
      const body = await jsonIn(response, ANSWER_MAX_BYTES);
      return { answered: true, status: response.status, body, retryAfterMs: wait };
    } catch (fault) {
      return { answered: false, error: signal?.aborted ? 'aborted' : describeFault(fault) };
    } finally {
      deadline.end();
    }
  }

  private headers(sent: Sent): Record<string, string> {
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

/** Whether a GET that ended so is tried again: no answer, a fault of the service, or "too many requests". */
export function isFailure(outcome: Answer | NoAnswer): boolean {
  return !outcome.answered || outcome.status >= 500 || outcome.status === 429;
}

/** The answer's status in words: `404 Not Found`. */
export function statusLine({ status }: Pick<Answer, 'status'>): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

/** An id as one part of a path. */
function segment(id: string): string {
  // An URL takes these away, and the call would be another one.
  if (id === '' || id === '.' || id === '..') throw new TypeError('An id is neither empty nor made of dots.');
  return encodeURIComponent(id);
}
