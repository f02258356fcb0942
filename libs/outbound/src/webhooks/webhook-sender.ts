import { Inject, Injectable } from '@nestjs/common';
import { errors, Pool } from 'undici';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#delivery-kit/address-guard';
import { requestedWaitMs, connectionError, readBody, startOf } from '#delivery-kit/http-response';
import type { Clock } from '#base/clock';
import { type SenderSettings, WebhookSettings } from './webhook-settings.js';

export type WebhookRequest = Readonly<{
  webhookId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/** `error` is our own text, or null after a delivery. */
export type Outcome = Readonly<{
  httpStatus: number | null;
  error: string | null;
  /** The start of the response body, for staff. */
  answer: string | null;
  retryAfterMs?: number | undefined;
}>;

const ANSWER_MAX_BYTES = 64 * 1024;
const ANSWER_KEPT_BYTES = 2 * 1024;

// Above this number the oldest pool is closed. Pools of removed receivers disappear this way.
const MOST_POOLS = 1_000;

/** Each receiver has its own connections, so one that hangs does not delay others, even at the same address. */
@Injectable()
export class WebhookSender {
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly guard: AddressGuard,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(WebhookSettings) private readonly settings: SenderSettings,
  ) {}

  /** Does not follow redirects. Never throws. */
  async post(request: WebhookRequest): Promise<Outcome> {
    const addressError = this.guard.checkUrl(request.url);
    if (addressError !== undefined) return failed(null, `the address ${addressError}`);
    try {
      return await this.exchange(request);
    } catch (error) {
      if (error instanceof errors.InvalidArgumentError) this.forgetPool(request);
      return failed(null, connectionError(error, this.settings.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private async exchange({ webhookId, url, headers, body }: WebhookRequest): Promise<Outcome> {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.poolFor(webhookId, origin).request({
      method: 'POST',
      path: pathname + search,
      headers,
      body,
      signal: AbortSignal.timeout(this.settings.timeoutMs),
    });
    const received = await readBody(answer.body, ANSWER_MAX_BYTES);
    const { statusCode } = answer;
    const kept = startOf(received, ANSWER_KEPT_BYTES);
    if (statusCode >= 200 && statusCode <= 299) return { httpStatus: statusCode, error: null, answer: kept };
    const retryAfterMs = requestedWaitMs(answer, this.clock.now());
    return { ...failed(statusCode, `the receiver answered ${statusCode}`), answer: kept, retryAfterMs };
  }

  /** If undici rejects a request as invalid, one connection of its pool stays blocked forever. */
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
    // No pipelining: a slow response would use up the timeouts of the requests behind it.
    const pool = new Pool(origin, { connections, pipelining: 1, connect: { lookup: this.guard.lookup } });
    this.pools.set(key, pool);
    return pool;
  }
}

function failed(httpStatus: number | null, error: string): Outcome {
  return { httpStatus, error, answer: null };
}
