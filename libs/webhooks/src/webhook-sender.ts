import { Inject, Injectable } from '@nestjs/common';
import { errors, Pool } from 'undici';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#delivery/address-guard';
import { requestedWaitMs, connectionError, readBody } from '#delivery/http-response';
import type { Clock } from '#runtime/clock';
import { WebhookSettings } from './webhook-settings.js';

/** A request to a receiver, all but signed again for another try. */
export type WebhookRequest = Readonly<{
  webhookId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/** What came of one attempt: delivered when `error` is null, which is a text of ours. */
export type Answered = Readonly<{
  httpStatus: number | null;
  error: string | null;
  /** The beginning of the answer's body, for staff; null when it was empty or never came. */
  answer: string | null;
  retryAfterMs?: number | undefined;
}>;

export type SenderSettings = Readonly<{
  /** For a whole attempt: connecting, sending, and reading the answer. */
  timeoutMs: number;
  /** To one receiver at once. */
  connections: number;
}>;

const ANSWER_MAX_BYTES = 64 * 1024;
const ANSWER_KEPT_BYTES = 2 * 1024;

// Those of receivers that were removed or have moved are closed when there are more than this.
const MOST_POOLS = 1_000;

/** Posts to receivers. Each has connections of its own: one that hangs holds up nobody, also not at the same address. */
@Injectable()
export class WebhookSender {
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly guard: AddressGuard,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(WebhookSettings) private readonly settings: SenderSettings,
  ) {}

  /** One attempt. Follows no redirect. Never throws. */
  async post(request: WebhookRequest): Promise<Answered> {
    const refused = this.guard.checkUrl(request.url);
    if (refused !== undefined) return failed(null, `the address ${refused}`);
    try {
      return await this.exchange(request);
    } catch (fault) {
      if (fault instanceof errors.InvalidArgumentError) this.forgetPool(request);
      return failed(null, connectionError(fault, this.settings.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private async exchange({ webhookId, url, headers, body }: WebhookRequest): Promise<Answered> {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.poolFor(webhookId, origin).request({
      method: 'POST',
      path: pathname + search,
      headers,
      body,
      signal: AbortSignal.timeout(this.settings.timeoutMs),
    });
    const { bytes } = await readBody(answer.body, ANSWER_MAX_BYTES);
    const { statusCode } = answer;
    const kept = keptText(bytes);
    if (statusCode >= 200 && statusCode <= 299) return { httpStatus: statusCode, error: null, answer: kept };
    const retryAfterMs = requestedWaitMs(answer, this.clock.now());
    return { ...failed(statusCode, `the receiver answered ${statusCode}`), answer: kept, retryAfterMs };
  }

  /** A request that undici refuses to build leaves one connection of its pool waiting for good. */
  private forgetPool({ webhookId, url }: WebhookRequest): void {
    const key = `${webhookId} ${new URL(url).origin}`;
    void this.pools.get(key)?.close();
    this.pools.delete(key);
  }

  private poolFor(webhookId: string, origin: string): Pool {
    const key = `${webhookId} ${origin}`;
    const known = this.pools.get(key);
    if (known) return known;
    const [oldest] = this.pools;
    if (oldest && this.pools.size >= MOST_POOLS) {
      this.pools.delete(oldest[0]);
      void oldest[1].close();
    }
    const { connections } = this.settings;
    // No pipelining: one slow answer would use up the time of what is behind it.
    const pool = new Pool(origin, { connections, pipelining: 1, connect: { lookup: this.guard.lookup } });
    this.pools.set(key, pool);
    return pool;
  }
}

function failed(httpStatus: number | null, error: string): Answered {
  return { httpStatus, error, answer: null };
}

/** Postgres keeps no NUL. */
function keptText(bytes: Buffer): string | null {
  const text = bytes.subarray(0, ANSWER_KEPT_BYTES).toString().replaceAll('\0', '');
  return text === '' ? null : text;
}
