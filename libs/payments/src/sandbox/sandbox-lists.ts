import type { Pool } from 'pg';
import type { ProviderEvent, ProviderFact } from '../provider-events.js';
import type { BalanceLine } from '../provider-lists.js';

const BATCH_SIZE = 1_000;
const DUE_AFTER_MS = 7 * 24 * 3_600_000;

// Where `plays` says so, a taken payment is disputed at once, and a refund fails 10 s later ($3 is 10 s ago).
const EVENTS = `
  select * from (
    select 'evt_open_' || order_id as id, captured_at as at, 'dispute.created' as type, order_id, reference as payment,
      'sandbox_dp_' || order_id as reference, captured_cents as cents, currency, 'open' as state, null as refund_id
    from sandbox_payments where plays = 'dispute' and captured_at is not null
    union all
    select 'evt_end_' || d.order_id, d.changed_at, 'dispute.closed', d.order_id, p.reference, d.id, p.captured_cents, p.currency, d.state, null
    from sandbox_disputes d join sandbox_payments p using (order_id)
    union all
    select 'evt_failed_' || r.id, r.created_at + interval '10 seconds', 'refund.failed', r.order_id, p.reference,
      'sandbox_' || r.id, r.amount_cents, p.currency, 'failed', r.id
    from sandbox_refunds r join sandbox_payments p using (order_id)
    where p.plays = 'refund_fails' and r.created_at <= $3::timestamptz
  ) as events
  where (at, id) > ($1::timestamptz, $2) order by at, id limit ${BATCH_SIZE}`;

type EventRow = Readonly<{
  id: string;
  at: Date;
  type: string;
  order_id: string;
  payment: string;
  reference: string;
  cents: string;
  currency: string;
  state: 'open' | 'won' | 'lost' | 'failed';
  refund_id: string | null;
}>;

/** @param after `<ISO 8601> <id>` of the last event, as ids of the sandbox are; null for all */
export async function* sandboxEvents(
  pool: Pool,
  after: string | null,
  failedBefore: string,
): AsyncGenerator<ProviderEvent> {
  let [at = '-infinity', id = ''] = after?.split(' ') ?? [];
  for (;;) {
    const { rows } = await pool.query<EventRow>(EVENTS, [at, id, failedBefore]);
    for (const row of rows) yield eventOf(row);
    const last = rows.at(-1);
    if (!last) return;
    [at, id] = [last.at.toISOString(), last.id];
  }
}

function eventOf(row: EventRow): ProviderEvent {
  const createdAt = row.at.toISOString();
  return { id: `${createdAt} ${row.id}`, type: row.type, createdAt, fact: factOf(row) };
}

function factOf({
  at,
  order_id: orderId,
  payment,
  reference,
  cents,
  currency,
  state,
  refund_id: refundId,
}: EventRow): ProviderFact {
  const shared = { orderId, payment, reference, amountCents: Number(cents), currency };
  if (state === 'failed') {
    return { ...shared, is: 'refund', refundId, outcome: 'failed', reason: 'the bank refused the refund' };
  }
  const dueAt = new Date(at.getTime() + DUE_AFTER_MS).toISOString();
  return { ...shared, is: 'dispute', inquiry: false, state, reason: 'fraudulent', dueAt, fees: [] };
}

const LINES = `
  select * from (
    select 'line_' || order_id as id, 'charge' as kind, reference, reference as payment, order_id as "orderId", null as "refundId",
      captured_cents as cents, currency, captured_at as at
    from sandbox_payments where captured_at is not null
    union all
    select 'line_' || r.id, 'refund', 'sandbox_' || r.id, p.reference, r.order_id, r.id, -r.amount_cents, p.currency, r.created_at
    from sandbox_refunds r join sandbox_payments p using (order_id)
    union all
    select 'line_failed_' || r.id, 'refund_failed', 'sandbox_' || r.id, p.reference, r.order_id, r.id, r.amount_cents, p.currency,
      r.created_at + interval '10 seconds'
    from sandbox_refunds r join sandbox_payments p using (order_id) where p.plays = 'refund_fails'
    union all
    select 'line_dp_' || order_id, 'dispute', 'sandbox_dp_' || order_id, reference, order_id, null, -captured_cents, currency, captured_at
    from sandbox_payments where plays = 'dispute' and captured_at is not null
    union all
    select 'line_won_' || d.id, 'dispute_reversed', d.id, p.reference, d.order_id, null, p.captured_cents, p.currency, d.changed_at
    from sandbox_disputes d join sandbox_payments p using (order_id) where d.state = 'won'
  ) as lines
  where at >= $1 and at < $2 and (at, id) > ($3::timestamptz, $4) order by at, id limit ${BATCH_SIZE}`;

type LineRow = Omit<BalanceLine, 'amountCents' | 'feeCents' | 'createdAt'> & Readonly<{ cents: string; at: Date }>;

export async function* sandboxLines(pool: Pool, from: string, to: string): AsyncGenerator<BalanceLine> {
  let [at, id] = ['-infinity', ''];
  for (;;) {
    const { rows } = await pool.query<LineRow>(LINES, [from, to, at, id]);
    for (const { cents, at: created, ...line } of rows) {
      yield { ...line, amountCents: Number(cents), feeCents: 0, createdAt: created.toISOString() };
    }
    const last = rows.at(-1);
    if (!last) return;
    [at, id] = [last.at.toISOString(), last.id];
  }
}
