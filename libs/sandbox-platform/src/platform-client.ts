import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock } from '#ambient/clock';
import type { Randomness } from '#ambient/randomness';
import { retryAfterMs } from '#pings/retry-schedule';
import { authorizationHeader } from '#platform-auth/signature';
import { type Patience, waitAfter } from './patience.js';

/** Where the calls go. Whoever made the dispatcher closes it. */
export type CheckoutService = Readonly<{
  /** `{base_url}` of the specification: without the version, with a path of its own or none. */
  url: string;
  /** The word in `Authorization: XX …` and in `X-XX-Transaction-Id`. */
  scheme: string;
  dispatcher: Dispatcher;
}>;

export type Credentials = Readonly<{ clientId: string; secret: string | Uint8Array }>;

export type Surroundings = Readonly<{ clock: Clock; randomness: Randomness; pause: (ms: number) => Promise<unknown> }>;

/** Arguments of a listing lookup; those left out are not sent. */
export type LookupQuery = Readonly<Partial<Record<'event_id' | 'quantity' | 'country' | 'state', string | undefined>>>;

/** A request as it went out: `path` is what was signed, `search` what was not. */
export type Sent = Readonly<{
  method: 'GET' | 'POST';
  path: string;
  search: string;
  body: Buffer;
  transactionId: string | undefined;
}>;

/** `body` is what the JSON of the answer says; undefined when it is none. */
export type Answer = Readonly<{ answered: true; status: number; body: unknown; retryAfterMs?: number | undefined }>;
/** `error` is a text of ours. Of a purchase nobody knows then whether it was made: only the ping will tell. */
export type NoAnswer = Readonly<{ answered: false; error: string }>;

/** One try. `waitMs` where another one follows. */
export type Try = Readonly<{ sent: Sent; outcome: Answer | NoAnswer; waitMs: number | undefined }>;

export type ClientOptions = Readonly<{ patience?: Patience; onTry?: (made: Try) => void }>;

const VERSION = 'v1';
const PATIENCE: Patience = { tries: 6, firstMs: 500, maxMs: 30_000 };
const GET_TIMEOUT_MS = 15_000;
// A purchase waits for the payment provider, which may take most of a minute.
const POST_TIMEOUT_MS = 60_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const NO_BODY = Buffer.alloc(0);

/**
 * The platform's part: calls a checkout service, signs, and tries a failed GET again (checkout specification, "Limits").
 * A purchase is never sent twice. No call throws because of what the service does or does not do.
 */
export class CheckoutClient {
  private readonly origin: string;
  private readonly basePath: string;
  private readonly patience: Patience;

  constructor(
    private readonly service: CheckoutService,
    private readonly credentials: Credentials,
    private readonly surroundings: Surroundings,
    private readonly options: ClientOptions = {},
  ) {
    const { origin, pathname } = new URL(service.url);
    this.origin = origin;
    this.basePath = `${pathname.replace(/\/+$/, '')}/${VERSION}`;
    this.patience = options.patience ?? PATIENCE;
  }

  async lookup(listingId: string, query: LookupQuery, transactionId?: string): Promise<Answer | NoAnswer> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
    return await this.get(`/listings/${encodeURIComponent(listingId)}`, search, transactionId);
  }

  /** Reads a purchase. */
  async purchase(id: string, transactionId?: string): Promise<Answer | NoAnswer> {
    return await this.get(`/purchases/${encodeURIComponent(id)}`, '', transactionId);
  }

  /** Submits a purchase, once whatever comes of it: to try again could be to buy twice. */
  async buy(purchase: object, transactionId?: string): Promise<Answer | NoAnswer> {
    const body = Buffer.from(JSON.stringify(purchase));
    const sent: Sent = { method: 'POST', path: `${this.basePath}/purchases`, search: '', body, transactionId };
    const outcome = await this.attempt(sent, POST_TIMEOUT_MS);
    this.options.onTry?.({ sent, outcome, waitMs: undefined });
    return outcome;
  }

  private async get(path: string, search: string, transactionId?: string): Promise<Answer | NoAnswer> {
    const sent: Sent = { method: 'GET', path: this.basePath + path, search, body: NO_BODY, transactionId };
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.attempt(sent, GET_TIMEOUT_MS);
      const waitMs = isFailure(outcome) ? this.waitAfter(tries, outcome) : undefined;
      this.options.onTry?.({ sent, outcome, waitMs });
      if (waitMs === undefined) return outcome;
      await this.surroundings.pause(waitMs);
    }
  }

  private waitAfter(tries: number, outcome: Answer | NoAnswer): number | undefined {
    const retryAfterMs = outcome.answered ? outcome.retryAfterMs : undefined;
    return waitAfter({ tries, retryAfterMs }, this.patience, this.surroundings.randomness);
  }

  private async attempt(sent: Sent, timeoutMs: number): Promise<Answer | NoAnswer> {
    try {
      const answer = await this.service.dispatcher.request({
        origin: this.origin,
        // As a text: an URL would be tidied up, and what is signed must be what is sent.
        path: sent.path + sent.search,
        method: sent.method,
        headers: this.headers(sent),
        body: sent.method === 'POST' ? sent.body : null,
        signal: AbortSignal.timeout(timeoutMs),
      });
      return await this.read(answer);
    } catch (fault) {
      return { answered: false, error: describe(fault) };
    }
  }

  private headers(sent: Sent): Record<string, string> {
    const { scheme } = this.service;
    const { clientId, secret } = this.credentials;
    return {
      accept: 'application/json',
      authorization: authorizationHeader(scheme, clientId, { ...sent, secret }),
      'user-agent': 'willcall-platform',
      ...(sent.transactionId !== undefined && { [`x-${scheme}-transaction-id`]: sent.transactionId }),
      ...(sent.method === 'POST' && { 'content-type': 'application/json' }),
    };
  }

  private async read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
    const asked = headers['retry-after'];
    const wait = typeof asked === 'string' ? retryAfterMs(asked, this.surroundings.clock.now()) : undefined;
    return { answered: true, status: statusCode, body: await json(body), retryAfterMs: wait };
  }
}

/** Whether a GET that ended so is tried again: no answer, a fault of the service, or "too many requests". */
export function isFailure(outcome: Answer | NoAnswer): boolean {
  return !outcome.answered || outcome.status >= 500 || outcome.status === 429;
}

/** The answer's status in words: `404 Not Found`. */
export function statusLine({ status }: Answer): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

async function json(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the body.
    if (size > ANSWER_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}

function describe(fault: unknown): string {
  const { name, code } = fault as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return 'no answer in time';
  return `the connection failed: ${typeof code === 'string' ? code : name}`;
}
