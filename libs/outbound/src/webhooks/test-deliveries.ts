import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { TestDelivery } from '../webhook.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { headersOf, unsignedHeaders } from '#delivery-kit/signed-message';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { parseJson } from '#base/json';
import { type EndpointRow, Signers } from '../endpoint.js';
import { ENDPOINTS } from './webhook-ledger-statements.js';
import { testMessage } from '../webhook-message.js';
import { WebhookSender } from './webhook-sender.js';

/** Sends at once, whatever the state of the webhook. */
@Injectable()
export class TestDeliveries {
  constructor(
    private readonly pool: Pool,
    private readonly signers: Signers,
    @Inject(WebhookSender) private readonly sender: Pick<WebhookSender, 'post'>,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async run(webhookId: string): Promise<TestDelivery | undefined> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<EndpointRow>(ENDPOINTS, [[webhookId], new Date(now)]);
    const endpoint = rows[0] && this.signers.endpoint(rows[0]);
    if (!endpoint) return undefined;
    const message = testMessage(this.ids.next('tst'), webhookId, new Date(now).toISOString());
    const { url, signers } = endpoint;
    const { body } = message;
    const outcome = await this.sender.post({ webhookId, url, headers: headersOf(message, signers, now), body });
    const { httpStatus, error, answer } = outcome;
    const sent = { method: 'POST' as const, url, headers: unsignedHeaders(message.id, now) };
    const request = { ...sent, body: parseJson(body) as Record<string, unknown> };
    const duration_ms = this.clock.now() - now;
    return { delivered: error === null, http_status: httpStatus, error, answer, duration_ms, request };
  }
}
