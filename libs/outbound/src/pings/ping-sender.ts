import { Inject, Injectable } from '@nestjs/common';
import { type Dispatcher, errors, Pool } from 'undici';
import { DatabaseClock } from '#database/database-clock';
import { requestedWaitMs, connectionError, readBody, startOf } from '#delivery-kit/http-response';
import type { Clock } from '#base/clock';
import { parseForeignJson } from '#base/json';
import { PingSettings, type PlatformSettings } from './ping-settings.js';
import { PingSigner } from './ping-signer.js';

export type Ping = Readonly<{
  orderId: string;
  clientId: string;
  refId: string | null;
  transactionId: string;
}>;

/**
 * The result of one attempt. `error` is our own text and contains nothing that the platform sent; `answer` is the start of the body that it
 * sent.
 */
export type Outcome =
  | Readonly<{ delivered: true; httpStatus: number; answer?: string | null }>
  | Readonly<{
      delivered: false;
      httpStatus: number | null;
      error: string;
      answer?: string | null;
      retryAfterMs?: number | undefined;
      /** Nothing was sent. */
      unsent?: true;
    }>;

const ANSWER_MAX_BYTES = 64 * 1024;
const ANSWER_KEPT_BYTES = 1_024;
const UNAUTHORIZED = [401, 403];
const NO_BODY = new Uint8Array(0);

/** Sends purchase pings to the platform (checkout specification, "Purchase ping"; docs/platform.md). */
@Injectable()
export class PingSender {
  private pool: Pool;
  private readonly basePath: string;

  constructor(
    @Inject(PingSettings) private readonly settings: PlatformSettings,
    private readonly signer: PingSigner,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {
    this.basePath = new URL(settings.url).pathname.replace(/\/$/, '');
    this.pool = this.openPool();
  }

  /** Never throws. */
  async send(ping: Ping): Promise<Outcome> {
    const path = `${this.basePath}/markets/purchases/${encodeURIComponent(ping.orderId)}/update`;
    const query = ping.refId === null ? '' : `?ref_id=${encodeURIComponent(ping.refId)}`;
    const signal = AbortSignal.timeout(this.settings.timeoutMs);
    try {
      const sign = (rejected: readonly string[]) =>
        this.signer.authorization(ping.clientId, { method: 'POST', path, body: NO_BODY }, rejected);
      return await this.trySecrets(sign, (authorization) => this.post(path + query, authorization, ping, signal));
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) this.replacePool();
      return failed(null, connectionError(error, this.settings.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private openPool(): Pool {
    // No pipelining: a slow response would use up the timeouts of the pings behind it.
    return new Pool(new URL(this.settings.url).origin, { connections: this.settings.connections, pipelining: 1 });
  }

  /** If undici rejects a request as invalid, one connection of its pool stays blocked forever. */
  private replacePool(): void {
    const old = this.pool;
    this.pool = this.openPool();
    void old.close();
  }

  private async trySecrets(
    sign: (rejected: readonly string[]) => Promise<string | undefined>,
    post: (authorization: string) => Promise<Outcome>,
  ): Promise<Outcome> {
    let outcome: Outcome = { ...failed(null, 'the client has no live secret to sign with'), unsent: true };
    const rejected: string[] = [];
    for (;;) {
      const authorization = await sign(rejected);
      if (authorization === undefined || rejected.includes(authorization)) return outcome;
      outcome = await post(authorization);
      if (outcome.delivered || !UNAUTHORIZED.includes(outcome.httpStatus ?? 0)) return outcome;
      rejected.push(authorization);
    }
  }

  private async post(path: string, authorization: string, ping: Ping, signal: AbortSignal): Promise<Outcome> {
    const answer = await this.pool.request({
      method: 'POST',
      path,
      headers: {
        Accept: 'application/json',
        Authorization: authorization,
        'User-Agent': 'willcall',
        [`X-${this.settings.scheme}-Transaction-Id`]: ping.transactionId,
      },
      signal,
    });
    const status = answer.statusCode;
    if (status < 200 || status > 299) return await this.rejection(answer);
    const body = await readBody(answer.body, ANSWER_MAX_BYTES);
    const kept = startOf(body, ANSWER_KEPT_BYTES);
    if (!body.whole) return { ...failed(status, 'the answer is longer than 64 KiB'), answer: kept };
    const orderId = orderIdIn(body.bytes.toString());
    if (orderId === ping.orderId) return { delivered: true, httpStatus: status, answer: kept };
    const error = orderId === undefined ? 'the answer has no order_id' : 'the answer names another order';
    return { ...failed(status, error), answer: kept };
  }

  private async rejection(answer: Dispatcher.ResponseData): Promise<Outcome> {
    // Reads the body so that the connection can be reused. A failure of this does not matter.
    const body = await readBody(answer.body, ANSWER_MAX_BYTES).catch(() => undefined);
    const { statusCode } = answer;
    const retryAfterMs = requestedWaitMs(answer, this.clock.now());
    const kept = body ? startOf(body, ANSWER_KEPT_BYTES) : null;
    return { ...failed(statusCode, `the platform answered ${statusCode}`), answer: kept, retryAfterMs };
  }
}

function failed(httpStatus: number | null, error: string) {
  return { delivered: false, httpStatus, error } as const;
}

function orderIdIn(text: string): unknown {
  try {
    const answer: unknown = parseForeignJson(text);
    return (answer as { order_id?: unknown } | null)?.order_id;
  } catch {
    return undefined;
  }
}
