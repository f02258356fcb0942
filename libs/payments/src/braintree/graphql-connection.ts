import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, FormData, request } from 'undici';
import type { Clock } from '#base/clock';
import { parseForeignJson } from '#base/json';
import type { Randomness } from '#base/randomness';
import { isJsonObject } from '#base/text';
import { readBody, requestedWaitMs } from '#delivery-kit/http-response';
import { waitAfter } from '#delivery-kit/retry-schedule';
import { ProviderUnavailable } from '../payment-provider.js';
import { BraintreeFault, BraintreeInternalError, BraintreeRefusal, reportedError } from './braintree-errors.js';

export type GraphqlOptions = Readonly<{
  /** The whole address. */
  url: string;
  publicKey: string;
  privateKey: string;
  /** The longest wait for an answer, where the caller sets no end. */
  timeoutMs: number;
  clock: Clock;
  randomness: Randomness;
}>;

type Variables = Readonly<Record<string, unknown>>;
type Keyed = Variables & Readonly<{ apiRequestKey: string }>;
type Body = Readonly<{ body: string | FormData; headers?: Readonly<Record<string, string>> }>;

// The version of the interface by its date: that of the schema against which the documents are checked.
const VERSION = '2025-04-29';
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const REPEATS = { firstMs: 200, maxMs: 5_000 };

// The connection was never there, so nothing was sent.
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Braintree's GraphQL interface. Its errors have nothing of what was sent or answered: both may have card data. */
export class GraphqlConnection {
  readonly #authorization: string;

  constructor(private readonly options: GraphqlOptions) {
    const { publicKey, privateKey } = options;
    this.#authorization = `Basic ${Buffer.from(`${publicKey}:${privateKey}`).toString('base64')}`;
  }

  /**
   * One request. `T` is the shape of `data`.
   * @throws BraintreeRefusal if it did nothing
   * @throws BraintreeFault if it failed
   */
  ask<T>(document: string, variables: Variables, signal?: AbortSignal): Promise<T> {
    const body = JSON.stringify({ query: document, variables });
    return this.#post<T>({ body, headers: { 'content-type': 'application/json' } }, signal);
  }

  /**
   * A request that its key lets Braintree do once. If the same key brings an internal error again, nothing was made of it and nothing is at
   * work: otherwise that would be the answer. The error may be kept under the key, so the next key is asked. Errors as of `ask`.
   */
  async askOnce<T>(document: string, input: Keyed): Promise<T> {
    for (let tries = 1; tries <= 2; tries += 1) {
      try {
        return await this.ask<T>(document, { input });
      } catch (error) {
        if (!(error instanceof BraintreeInternalError)) throw error;
      }
    }
    return await this.ask<T>(document, { input: { ...input, apiRequestKey: `${input.apiRequestKey}-next` } });
  }

  /** A request with one file (GraphQL multipart request). Errors as of `ask`. */
  upload<T>(
    document: string,
    variables: Variables,
    file: Readonly<{ name: string; type: string; content: Buffer }>,
  ): Promise<T> {
    const form = new FormData();
    const operations = JSON.stringify({ query: document, variables: { ...variables, file: null } });
    form.set('operations', new Blob([operations], { type: 'application/json' }));
    form.set('map', JSON.stringify({ file: ['variables.file'] }));
    form.set('file', new Blob([new Uint8Array(file.content)], { type: file.type }), file.name);
    return this.#post<T>({ body: form });
  }

  /**
   * Repeats a request that nothing can do twice, until Braintree answers or `signal` ends.
   * @throws BraintreeRefusal if it did nothing, of any of the requests
   * @throws ProviderUnavailable if it failed each time, and certainly did nothing
   * @throws BraintreeFault if it failed, and may have done it
   */
  async insist<T>(document: string, variables: Variables, signal: AbortSignal): Promise<T> {
    let didNothing = true;
    for (let tries = 1; ; tries += 1) {
      let waitMs = waitAfter(tries, REPEATS, this.options.randomness.fraction());
      let failure = '';
      try {
        return await this.ask<T>(document, variables, signal);
      } catch (error) {
        if (error instanceof BraintreeFault) {
          didNothing &&= error.didNothing;
          waitMs = Math.max(waitMs, error.waitMs);
          failure = error.message;
        } else if (didNothing || !(error instanceof BraintreeRefusal)) {
          throw error;
        } else if (!error.isOfKey) {
          // Otherwise the earlier try is still at work, and its answer is waited for.
          throw new BraintreeFault('it refused a request that an earlier try may have done', false);
        }
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) continue;
      throw didNothing ? new ProviderUnavailable(failure) : new BraintreeFault('no answer in time', false);
    }
  }

  async #post<T>(sent: Body, signal: AbortSignal = AbortSignal.timeout(this.options.timeoutMs)): Promise<T> {
    if (signal.aborted) throw new BraintreeFault('no time was left to ask', true);
    const answer = await this.#send(sent, signal);
    const waitMs = requestedWaitMs(answer, this.options.clock.now());
    const { bytes } = await readBody(answer.body, ANSWER_MAX_BYTES).catch(() => ({ bytes: Buffer.alloc(0) }));
    const { statusCode } = answer;
    if (statusCode < 200 || statusCode > 299) {
      // 408 and 409 speak of a request that may be at work.
      const didNothing = statusCode < 500 && statusCode !== 408 && statusCode !== 409;
      throw new BraintreeFault(`HTTP status ${statusCode}`, didNothing, waitMs);
    }
    return dataOf(bytes) as T;
  }

  async #send({ body, headers }: Body, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    try {
      return await request(this.options.url, {
        method: 'POST',
        headers: {
          ...headers,
          accept: 'application/json',
          authorization: this.#authorization,
          'braintree-version': VERSION,
        },
        body,
        signal,
      });
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (signal.aborted || typeof code !== 'string') throw new BraintreeFault('no answer in time', false);
      throw new BraintreeFault(`the connection failed: ${code}`, NOT_CONNECTED.has(code));
    }
  }
}

function dataOf(bytes: Buffer): unknown {
  const { data, errors } = parsed(bytes);
  if (Array.isArray(errors) && errors.length > 0) {
    const hasData = isJsonObject(data) && Object.values(data).some((value) => value !== null);
    throw reportedError(errors.filter(isJsonObject), hasData);
  }
  if (!isJsonObject(data)) throw new BraintreeFault('an answer without data', false);
  return data;
}

function parsed(bytes: Buffer): Readonly<{ data?: unknown; errors?: unknown }> {
  try {
    const value = parseForeignJson(bytes.toString());
    if (isJsonObject(value)) return value;
  } catch {
    // A parser's error would repeat a part of the answer.
  }
  throw new BraintreeFault('an answer that is no JSON object', false);
}
