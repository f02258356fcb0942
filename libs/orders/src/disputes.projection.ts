import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import { type Dispute, isProvided } from '#domain/payment-state';
import type { RecordedEvent } from '#event-store/event';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';

const COLUMNS = {
  id: 'text',
  order_id: 'text',
  provider: 'text',
  reference: 'text',
  kind: 'text',
  state: 'text',
  inquiry: 'boolean',
  reason: 'text',
  amount_cents: 'bigint',
  currency: 'text',
  opened_at: 'timestamptz',
  due_at: 'timestamptz',
  sent_at: 'timestamptz',
  closed_at: 'timestamptz',
  note_position: 'int',
} as const;

const names = Object.keys(COLUMNS);

/** Disputes of all orders, so that the desk finds those that are due. A row for each, as the order has it. */
export const disputesProjection: InlineProjection<Order, OrderEvent> = {
  name: 'disputes',
  columns: COLUMNS,
  statement: (rows) => `insert into disputes (${names.join(', ')}) select ${names.join(', ')} from ${rows}
    on conflict (order_id, id) do update set (${names.join(', ')}) = row (${names.map((name) => `excluded.${name}`).join(', ')})
    returning 1`,
  rows: disputeRows,
};

/** The disputes that the appended events are about. */
function disputeRows({ stream, past, appended, after }: AppendContext<Order, OrderEvent>): readonly object[] {
  const changed = new Set(appended.flatMap((event) => disputeIdOf(event) ?? []));
  if (changed.size === 0 || !after.known) return [];
  const provider = isProvided(after.payment) ? after.payment.provider : null;
  return after.disputes
    .filter(({ dispute_id: id }) => changed.has(id))
    .map((dispute) => ({
      id: dispute.dispute_id,
      order_id: orderIdOf(stream),
      provider: dispute.kind === 'card' ? provider : null,
      reference: dispute.reference,
      kind: dispute.kind,
      state: dispute.state,
      inquiry: dispute.inquiry,
      reason: dispute.reason,
      amount_cents: dispute.amount_cents,
      currency: dispute.currency,
      opened_at: dispute.opened_at,
      due_at: dispute.due_at,
      sent_at: dispute.sent_at,
      closed_at: dispute.closed_at,
      note_position: notePosition(dispute, [...past, ...appended]),
    }));
}

/** Where the last note about the dispute stands. The log has it sealed. */
function notePosition({ dispute_id: id }: Dispute, events: readonly RecordedEvent<OrderEvent>[]): number | null {
  const isNote = (event: RecordedEvent<OrderEvent>) =>
    disputeIdOf(event) === id && ('note' in event.data || 'sealed_note' in event.data);
  return events.findLast(isNote)?.position ?? null;
}

function disputeIdOf(event: OrderEvent): string | undefined {
  return 'dispute_id' in event.data ? event.data.dispute_id : undefined;
}
