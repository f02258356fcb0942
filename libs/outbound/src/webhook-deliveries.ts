import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { WebhookDelivery } from './webhook.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { inState } from '#delivery-kit/attempt';
import { unsignedHeaders } from '#delivery-kit/signed-message';
import { methodOf } from './destinations/destination-address.js';
import { entryAt } from './webhook-entries.js';
import type { Clock } from '#base/clock';
import { parseJson } from '#base/json';
import { deliveryId } from './webhooks/delivery-id.js';
import { entryMessage } from './webhook-message.js';

export type DeliveryPage = Readonly<{
  state?: WebhookDelivery['state'] | undefined;
  limit: number;
  before?: number | undefined;
}>;

/** `open` means active but held back by the circuit breaker. */
export type PendingCounts = Readonly<{
  pending: Readonly<Record<'active' | 'open' | 'paused' | 'disabled', number>>;
  /** Of an active endpoint. 0 if there is none. */
  oldestMs: number;
}>;

@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async list(webhookId: string, { state, limit, before }: DeliveryPage): Promise<readonly WebhookDelivery[]> {
    const values: unknown[] = [webhookId, limit, before ?? Number.MAX_SAFE_INTEGER];
    const condition = state === undefined ? '' : `and delivery.${inState(state)}`;
    const rest = `and delivery.position < $3 ${condition} order by delivery.position desc limit $2`;
    return await this.read(rest, values);
  }

  /** Every attempt for an order at any webhook, oldest first. */
  async attemptsOfOrder(orderId: string): Promise<OrderWebhookAttempt[]> {
    // The plan is kept. PostgreSQL took 2 ms to make it at each visit.
    const query = { name: 'webhook-attempts-of-order', text: ATTEMPTS_OF_ORDER, values: [orderId] };
    const { rows } = await this.pool.query<AttemptRow>(query);
    return rows.map(({ started_at, ...row }) => ({ ...row, started_at: started_at.toISOString() }));
  }

  /** Makes the delivery due now, whatever its state. */
  async resend(webhookId: string, position: number): Promise<WebhookDelivery | undefined> {
    await this.pool.query(SEND_AGAIN, [webhookId, position, this.clock.iso()]);
    return (await this.read('and delivery.position = $2', [webhookId, position]))[0];
  }

  async counts(): Promise<PendingCounts> {
    const { rows } = await this.pool.query<{
      state: keyof PendingCounts['pending'];
      pending: number;
      oldest: Date | null;
    }>(COUNTS);
    const pending = { active: 0, open: 0, paused: 0, disabled: 0 };
    for (const row of rows) pending[row.state] = row.pending;
    const oldest = rows.find(({ state }) => state === 'active')?.oldest;
    return { pending, oldestMs: oldest ? Math.max(0, this.clock.now() - oldest.getTime()) : 0 };
  }

  private async read(rest: string, values: readonly unknown[]): Promise<readonly WebhookDelivery[]> {
    const { rows } = await this.pool.query<DeliveryRow>(`${FIND} ${rest}`, [...values]);
    return rows.map(listed);
  }
}

const FIND = `
  select delivery.webhook_id, delivery.position, delivery.order_id, delivery.state, delivery.tries, delivery.next_try_at,
    delivery.created_at, delivery.delivered_at, entry.*,
    (select coalesce(json_agg(made order by made.attempt), '[]') from (
      select attempt, url, started_at, duration_ms, http_status, error, answer from webhook_attempts
      where webhook_attempts.webhook_id = delivery.webhook_id and webhook_attempts.position = delivery.position) as made) as attempts
  from webhook_deliveries delivery
  cross join lateral (${entryAt('delivery.position')}) as entry
  where delivery.webhook_id = $1`;

/** One attempt to deliver an entry of the ping stream, or what is told of money. `position` is that of the entry; times are ISO 8601. */
export type OrderWebhookAttempt = Readonly<{
  webhook_id: string;
  position: number;
  attempt: number;
  url: string;
  started_at: string;
  duration_ms: number;
  http_status: number | null;
  error: string | null;
  answer: string | null;
  transaction_id: string;
}>;

type AttemptRow = Omit<OrderWebhookAttempt, 'started_at'> & { started_at: Date };

// By way of the entries, which have an index on orders. Deliveries have one for those that are due only.
const ATTEMPTS_OF_ORDER = `
  select made.webhook_id, made.position, made.attempt, made.url, made.started_at, made.duration_ms, made.http_status,
    made.error, made.answer, entry.transaction_id
  from (
    select position, transaction_id from ping_stream where order_id = $1
    union all
    select position, transaction_id from money_stream where order_id = $1) as entry
  cross join webhooks
  join webhook_attempts made on made.webhook_id = webhooks.id and made.position = entry.position
  order by made.started_at`;

const SEND_AGAIN = `
  update webhook_deliveries set state = 'pending', next_try_at = $3, due_since = null, tries = 0, delivered_at = null
  where webhook_id = $1 and position = $2`;

const COUNTS = `
  select case when state = 'active' and breaker <> 'closed' then 'open' else state end as state,
    sum(pending)::int as pending, min(oldest) as oldest
  from webhooks cross join lateral (
    select count(*) as pending, min(created_at) as oldest from webhook_deliveries
    where webhook_id = webhooks.id and webhook_deliveries.state = 'pending') as waiting
  group by 1`;

type DeliveryRow = {
  webhook_id: string;
  position: number;
  order_id: string;
  state: WebhookDelivery['state'];
  tries: number;
  next_try_at: Date | null;
  created_at: Date;
  delivered_at: Date | null;
  type: string;
  id: string;
  occurred_at: Date;
  json: string;
  attempts: readonly (Omit<WebhookDelivery['attempts'][number], 'request'> & { url: string })[];
};

function listed(row: DeliveryRow): WebhookDelivery {
  const { id: messageId, body } = entryMessage({ ...row, occurred_at: row.occurred_at.toISOString() });
  return {
    id: deliveryId({ webhookId: row.webhook_id, position: row.position }),
    webhook_id: row.webhook_id,
    position: row.position,
    order_id: row.order_id,
    state: row.state,
    tries: row.tries,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    body: parseJson(body) as Record<string, unknown>,
    attempts: row.attempts.map(({ url, ...attempt }) => {
      const at = new Date(attempt.started_at);
      const request = { method: methodOf(url), url, headers: unsignedHeaders(messageId, at.getTime()) };
      return { ...attempt, started_at: at.toISOString(), request };
    }),
  };
}
