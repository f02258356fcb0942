import { Inject, Injectable } from '@nestjs/common';
import { type Dispatcher, errors, Pool } from 'undici';
import { DatabaseClock } from '#database/database-clock';
import { requestedWaitMs, connectionError, readBody } from '#delivery/http-response';
import type { Clock } from '#runtime/clock';
import { PingSettings } from './ping-settings.js';
import { PingSigner } from './ping-signer.js';

/** What goes over the wire of a ping. */
export type Ping = Readonly<{
  orderId: string;
  clientId: string;
  refId: string | null;
  transactionId: string;
}>;

/** What came of one attempt. `error` is a text of ours: nothing that the platform sent is in it. */
export type Outcome =
  | Readonly<{ delivered: true; httpStatus: number }>
  | Readonly<{
      delivered: false;
      httpStatus: number | null;
      error: string;
      retryAfterMs?: number | undefined;
      /** Nothing went over the wire. */
      unsent?: true;
    }>;

export type PlatformSettings = Readonly<{
  /** Base of the platform's address; may have a path of its own. */
  url: string;
  /** The word in `X-<scheme>-Transaction-Id`. */
  scheme: string;
  /** For a whole attempt: connecting, sending, and reading the answer. */
  timeoutMs: number;
  /** Pings in flight at once. */
  connections: number;
}>;

const ANSWER_MAX_BYTES = 64 * 1024;
/** What a platform answers to a signature that it cannot make out. */
const NOT_KNOWN = [401, 403];
const NO_BODY = new Uint8Array(0);

/** Sends purchase pings to the platform (checkout specification, "Purchase ping"; contract, section 4). */
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

  /** One attempt. Never throws. */
  async send(ping: Ping): Promise<Outcome> {
    const path = `${this.basePath}/markets/purchases/${encodeURIComponent(ping.orderId)}/update`;
    const query = ping.refId === null ? '' : `?ref_id=${encodeURIComponent(ping.refId)}`;
    const signal = AbortSignal.timeout(this.settings.timeoutMs);
    try {
      const sign = (refused: readonly string[]) =>
        this.signer.authorization(ping.clientId, { method: 'POST', path, body: NO_BODY }, refused);
      return await this.tryOut(sign, (authorization) => this.post(path + query, authorization, ping, signal));
    } catch (fault) {
      if (fault instanceof errors.InvalidArgumentError) this.replacePool();
      return failed(null, connectionError(fault, this.settings.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private openPool(): Pool {
    // No pipelining: one slow answer would use up the time of the pings behind it.
    return new Pool(new URL(this.settings.url).origin, { connections: this.settings.connections, pipelining: 1 });
  }

  /** A request that undici refuses to build leaves one connection of its pool waiting for good. */
  private replacePool(): void {
    const old = this.pool;
    this.pool = this.openPool();
    void old.close();
  }

  /** Signed with one secret of the client after the other, until the platform knows one. */
  private async tryOut(
    sign: (refused: readonly string[]) => Promise<string | undefined>,
    post: (authorization: string) => Promise<Outcome>,
  ): Promise<Outcome> {
    let outcome: Outcome = { ...failed(null, 'the client has no live secret to sign with'), unsent: true };
    const refused: string[] = [];
    for (;;) {
      const authorization = await sign(refused);
      if (authorization === undefined || refused.includes(authorization)) return outcome;
      outcome = await post(authorization);
      if (outcome.delivered || !NOT_KNOWN.includes(outcome.httpStatus ?? 0)) return outcome;
      refused.push(authorization);
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
    if (status < 200 || status > 299) return await this.refused(answer);
    const { bytes, whole } = await readBody(answer.body, ANSWER_MAX_BYTES);
    if (!whole) return failed(status, 'the answer is longer than 64 KiB');
    const named = orderIdIn(bytes.toString());
    if (named === ping.orderId) return { delivered: true, httpStatus: status };
    return failed(status, named === undefined ? 'the answer has no order_id' : 'the answer names another order');
  }

  private async refused(answer: Dispatcher.ResponseData): Promise<Outcome> {
    // Read to its end, so that the connection can be used again; what becomes of that changes nothing.
    await readBody(answer.body, ANSWER_MAX_BYTES).catch(() => undefined);
    const { statusCode } = answer;
    const retryAfterMs = requestedWaitMs(answer, this.clock.now());
    return { ...failed(statusCode, `the platform answered ${statusCode}`), retryAfterMs };
  }
}

function failed(httpStatus: number | null, error: string) {
  return { delivered: false, httpStatus, error } as const;
}

function orderIdIn(text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    return (answer as { order_id?: unknown } | null)?.order_id;
  } catch {
    return undefined;
  }
}
