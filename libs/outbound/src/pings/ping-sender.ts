import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import { DatabaseClock } from '#database/database-clock';
import type { Outcome } from '#delivery-kit/attempt';
import { ReceiverConnections } from '#delivery-kit/receiver-connections';
import { requestedWaitMs, connectionError, readBody, startOf } from '#delivery-kit/http-response';
import type { Clock } from '#base/clock';
import { parseForeignJson } from '#base/json';
import { traceHeaders } from '#base/tracing';
import { tracedPost } from '#delivery-kit/traced-post';
import { PingSettings, type PlatformSettings } from './ping-settings.js';
import { PingSigner } from './ping-signer.js';

export type Ping = Readonly<{
  orderId: string;
  clientId: string;
  refId: string | null;
  transactionId: string;
}>;

/** `unsent`: nothing was sent. */
export type PingOutcome = Outcome & Readonly<{ unsent?: true }>;

const ANSWER_MAX_BYTES = 64 * 1024;
const ANSWER_KEPT_BYTES = 1_024;
const UNAUTHORIZED = [401, 403];
const NO_BODY = new Uint8Array(0);

/** Sends purchase pings to the platform (checkout specification, "Purchase ping"; docs/platform.md). */
@Injectable()
export class PingSender {
  private readonly connections: ReceiverConnections;
  private readonly origin: string;
  private readonly basePath: string;

  constructor(
    @Inject(PingSettings) private readonly settings: PlatformSettings,
    private readonly signer: PingSigner,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {
    const { origin, pathname } = new URL(settings.url);
    this.origin = origin;
    this.basePath = pathname.replace(/\/$/, '');
    this.connections = new ReceiverConnections({ connections: settings.connections });
  }

  /** Never throws. */
  async send(ping: Ping): Promise<PingOutcome> {
    const path = `${this.basePath}/markets/purchases/${encodeURIComponent(ping.orderId)}/update`;
    const query = ping.refId === null ? '' : `?ref_id=${encodeURIComponent(ping.refId)}`;
    const signal = AbortSignal.timeout(this.settings.timeoutMs);
    try {
      const sign = (rejected: readonly string[]) =>
        this.signer.authorization(ping.clientId, { method: 'POST', path, body: NO_BODY }, rejected);
      return await this.trySecrets(sign, (authorization) =>
        tracedPost(this.origin, () => this.post(path + query, authorization, ping, signal)),
      );
    } catch (error) {
      return failed(null, connectionError(error, this.settings.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await this.connections.close();
  }

  private async trySecrets(
    sign: (rejected: readonly string[]) => Promise<string | undefined>,
    post: (authorization: string) => Promise<PingOutcome>,
  ): Promise<PingOutcome> {
    let outcome: PingOutcome = { ...failed(null, 'the client has no live secret to sign with'), unsent: true };
    const rejected: string[] = [];
    for (;;) {
      const authorization = await sign(rejected);
      if (authorization === undefined || rejected.includes(authorization)) return outcome;
      outcome = await post(authorization);
      if (outcome.error === null || !UNAUTHORIZED.includes(outcome.httpStatus ?? 0)) return outcome;
      rejected.push(authorization);
    }
  }

  private async post(path: string, authorization: string, ping: Ping, signal: AbortSignal): Promise<PingOutcome> {
    const answer = await this.connections.post('platform', this.origin, {
      path,
      headers: {
        Accept: 'application/json',
        Authorization: authorization,
        'User-Agent': 'willcall',
        [`X-${this.settings.scheme}-Transaction-Id`]: ping.transactionId,
        ...traceHeaders(),
      },
      signal,
    });
    const status = answer.statusCode;
    if (status < 200 || status > 299) return await this.rejection(answer);
    const body = await readBody(answer.body, ANSWER_MAX_BYTES);
    const kept = startOf(body, ANSWER_KEPT_BYTES);
    if (!body.whole) return { ...failed(status, 'the answer is longer than 64 KiB'), answer: kept };
    const orderId = orderIdIn(body.bytes.toString());
    if (orderId === ping.orderId) return { error: null, httpStatus: status, answer: kept };
    const error = orderId === undefined ? 'the answer has no order_id' : 'the answer names another order';
    return { ...failed(status, error), answer: kept };
  }

  private async rejection(answer: Dispatcher.ResponseData): Promise<PingOutcome> {
    // Reads the body so that the connection can be reused. A failure of this does not matter.
    const body = await readBody(answer.body, ANSWER_MAX_BYTES).catch(() => undefined);
    const { statusCode } = answer;
    const retryAfterMs = requestedWaitMs(answer, this.clock.now());
    const kept = body ? startOf(body, ANSWER_KEPT_BYTES) : null;
    return { ...failed(statusCode, `the platform answered ${statusCode}`), answer: kept, retryAfterMs };
  }
}

function failed(httpStatus: number | null, error: string): Outcome {
  return { httpStatus, error, answer: null };
}

function orderIdIn(text: string): unknown {
  try {
    const answer: unknown = parseForeignJson(text);
    return (answer as { order_id?: unknown } | null)?.order_id;
  } catch {
    return undefined;
  }
}
