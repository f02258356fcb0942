import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { AddressGuard } from '#delivery-kit/address-guard';
import type { Outcome } from '#delivery-kit/attempt';
import { ReceiverConnections } from '#delivery-kit/receiver-connections';
import { requestedWaitMs, connectionError, readBody, startOf } from '#delivery-kit/http-response';
import type { Clock } from '#base/clock';
import { type DestinationMessage, type DestinationSender, failed } from '../destinations/destination-message.js';
import { traceHeaders } from '#base/tracing';
import { tracedPost } from '#delivery-kit/traced-post';
import { type SenderSettings, WebhookSettings } from './webhook-settings.js';

type WebhookRequest = Pick<DestinationMessage, 'webhookId' | 'url' | 'headers' | 'body'>;

const ANSWER_MAX_BYTES = 64 * 1024;
const ANSWER_KEPT_BYTES = 2 * 1024;

@Injectable()
export class WebhookSender implements DestinationSender {
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
  async send(request: WebhookRequest): Promise<Outcome> {
    const addressError = this.guard.checkUrl(request.url);
    if (addressError !== undefined) return failed(`the address ${addressError}`);
    try {
      const url = new URL(request.url);
      return await tracedPost(url.origin, () => this.exchange(url, request));
    } catch (error) {
      return failed(connectionError(error, this.settings.timeoutMs));
    }
  }

  async close(): Promise<void> {
    await this.connections.close();
  }

  private async exchange(
    { origin, pathname, search }: URL,
    { webhookId, headers, body }: WebhookRequest,
  ): Promise<Outcome> {
    const answer = await this.connections.post(webhookId, origin, {
      path: pathname + search,
      headers: { ...headers, ...traceHeaders() },
      body,
      signal: AbortSignal.timeout(this.settings.timeoutMs),
    });
    const received = await readBody(answer.body, ANSWER_MAX_BYTES);
    const { statusCode } = answer;
    const kept = startOf(received, ANSWER_KEPT_BYTES);
    if (statusCode >= 200 && statusCode <= 299) return { httpStatus: statusCode, error: null, answer: kept };
    const retryAfterMs = requestedWaitMs(answer, this.clock.now());
    return { httpStatus: statusCode, error: `the receiver answered ${statusCode}`, answer: kept, retryAfterMs };
  }
}
