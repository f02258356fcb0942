import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#delivery-kit/address-guard';
import type { Outcome } from '#delivery-kit/attempt';
import { ReceiverConnections } from '#delivery-kit/receiver-connections';
import { requestedWaitMs, connectionError, readBody, startOf } from '#delivery-kit/http-response';
import type { Clock } from '#base/clock';
import { type SenderSettings, WebhookSettings } from './webhook-settings.js';

export type WebhookRequest = Readonly<{
  webhookId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

const ANSWER_MAX_BYTES = 64 * 1024;
const ANSWER_KEPT_BYTES = 2 * 1024;

@Injectable()
export class WebhookSender {
  private readonly connections: ReceiverConnections;

  constructor(
    private readonly guard: AddressGuard,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(WebhookSettings) private readonly settings: SenderSettings,
  ) {
    const { connections } = settings;
    this.connections = new ReceiverConnections({ connections, connect: { lookup: guard.lookup } });
  }

  /** Does not follow redirects. Never throws. */
  async post(request: WebhookRequest): Promise<Outcome> {
    const addressError = this.guard.checkUrl(request.url);
    if (addressError !== undefined) return failed(null, `the address ${addressError}`);
    try {
      return await this.exchange(request);
    } catch (error) {
      return failed(null, connectionError(error, this.settings.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await this.connections.close();
  }

  private async exchange({ webhookId, url, headers, body }: WebhookRequest): Promise<Outcome> {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.connections.post(webhookId, origin, {
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
}

function failed(httpStatus: number | null, error: string): Outcome {
  return { httpStatus, error, answer: null };
}
