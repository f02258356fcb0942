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
import { TEST_TYPE, testMessage } from '../webhook-message.js';
import { methodOf } from '../destinations/destination-address.js';
import { Destinations } from './destinations.js';

/** Sends at once, whatever the state of the webhook. */
@Injectable()
export class TestDeliveries {
  constructor(
    private readonly pool: Pool,
    private readonly signers: Signers,
    private readonly destinations: Destinations,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async run(webhookId: string): Promise<TestDelivery | undefined> {
    const now = this.clock.now();
    const { rows } = await this.pool.query<EndpointRow>(ENDPOINTS, [[webhookId], new Date(now)]);
    const endpoint = rows[0] && this.signers.endpoint(rows[0]);
    if (!endpoint) return undefined;
    const test = testMessage(this.ids.next('tst'), webhookId, new Date(now).toISOString());
    const message = { ...test, position: 0, type: TEST_TYPE, subject: webhookId };
    const { url, credentials, signers } = endpoint;
    const { body } = message;
    const headers = headersOf(message, signers, now);
    const outcome = await this.destinations.send({ webhookId, url, credentials, headers, ...message });
    const { httpStatus, error, answer } = outcome;
    const sent = { method: methodOf(url), url, headers: unsignedHeaders(message.id, now) };
    const request = { ...sent, body: parseJson(body) as Record<string, unknown> };
    const duration_ms = this.clock.now() - now;
    return { delivered: error === null, http_status: httpStatus, error, answer, duration_ms, request };
  }
}
