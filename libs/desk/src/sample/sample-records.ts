import type { ClientBase } from 'pg';
import { orderIdOf } from '#domain/order-stream';
import type { KnownOrder } from '#domain/order-state';
import type { Metadata } from '#event-store/event';
import type { SeededRandomness } from '#base/seeded-randomness';
import type { SampleDeed } from './sample-stories.data.js';

/** The requests that changed the sample orders, and what the payment provider knows of them. */
export class SampleRecords {
  private readonly requests: object[] = [];
  private readonly payments: object[] = [];
  private readonly refunds: object[] = [];

  constructor(private readonly random: SeededRandomness) {}

  purchase(at: number, { transaction_id, actor }: Metadata, declined: boolean): void {
    const [path, status] = ['/checkout/v1/purchases', declined ? 400 : 201];
    this.request({ at, transaction_id, actor, path, status });
  }

  /** A change by staff or a program. The worker sends no requests. */
  change(at: number, { transaction_id, actor }: Metadata, stream: string, does: SampleDeed): void {
    if (actor.startsWith('system')) return;
    const action = typeof does === 'number' ? 'status' : 'fulfillment';
    const path = `/backoffice/v1/orders/${orderIdOf(stream) ?? ''}/${action}`;
    this.request({ at, transaction_id, actor, path, status: 200 });
  }

  /** The state of the payment now. */
  payment(stream: string, { purchase, payment, refunds, receivedAt }: KnownOrder): void {
    if (payment.is === 'none' || payment.is === 'asked') return;
    const state = { not_taken: 'declined', authorised: 'authorised', captured: 'authorised', released: 'voided' }[
      payment.is
    ];
    const order_id = orderIdOf(stream);
    const isTaken = payment.is === 'captured';
    this.payments.push({
      order_id,
      reference: paymentReference(stream),
      amount_cents: purchase.total_cents,
      state,
      captured_cents: isTaken ? payment.captured_cents : null,
      created_at: receivedAt,
    });
    for (const { id, amount_cents, created_at } of refunds) {
      this.refunds.push({ id, order_id, refund_id: id, amount_cents, created_at });
    }
  }

  async write(client: ClientBase): Promise<void> {
    await client.query(WRITE_REQUESTS, [JSON.stringify(this.requests)]);
    await client.query(WRITE_PAYMENTS, [JSON.stringify(this.payments)]);
    await client.query(WRITE_REFUNDS, [JSON.stringify(this.refunds)]);
  }

  private request(request: Readonly<{ at: number } & Record<string, unknown>>): void {
    const duration_ms = 6 + this.random.integer(30);
    this.requests.push({ ...request, at: new Date(request.at), method: 'POST', duration_ms });
  }
}

/** As the sandbox would have made it. */
export function paymentReference(stream: string): string {
  return `sandbox_${orderIdOf(stream) ?? ''}`;
}

const WRITE_REQUESTS = `
  insert into recorded_requests (at, transaction_id, method, path, actor, status, duration_ms)
  select at, transaction_id, method, path, actor, status, duration_ms
  from json_to_recordset($1) as made (at timestamptz, transaction_id text, method text, path text, actor text,
    status int, duration_ms int)`;

const PAYMENT = 'order_id, reference, amount_cents, state, captured_cents, created_at';
// The sandbox took it when the order says that it did, so that the two lists agree.
const WRITE_PAYMENTS = `
  insert into sandbox_payments (${PAYMENT}, captured_at)
  select ${PAYMENT}, (
    select recorded_at from events e where e.stream = 'order-' || made.order_id and e.type = 'PaymentCaptured')
  from json_to_recordset($1) as made (order_id text, reference text, amount_cents bigint, state text, captured_cents bigint,
    created_at timestamptz)`;

const REFUND = 'id, order_id, refund_id, amount_cents, created_at';
const WRITE_REFUNDS = `
  insert into sandbox_refunds (${REFUND}) select ${REFUND}
  from json_to_recordset($1) as made (id text, order_id text, refund_id text, amount_cents bigint, created_at timestamptz)`;
