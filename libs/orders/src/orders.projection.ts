import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import { orderRow } from './order-row.js';

/** In write order. */
export const ORDER_COLUMNS = {
  id: 'text',
  version: 'int',
  client_id: 'text',
  variant: 'text',
  stage: 'text',
  status: 'text',
  status_code: 'int',
  status_message: 'text',
  event_id: 'text',
  listing_id: 'text',
  quantity: 'int',
  stock_held: 'int',
  stock_seats: 'json',
  other_tickets: 'json',
  total_cents: 'bigint',
  ref_id: 'text',
  transaction_id: 'text',
  seller: 'text',
  external_id: 'text',
  speculative: 'boolean',
  placed_at: 'timestamptz',
  updated_at: 'timestamptz',
  due_for: 'text',
  due_at: 'timestamptz',
  payment_step: 'text',
  payment_due_at: 'timestamptz',
  queue: 'text',
  next_action: 'text',
  acts: 'text',
  action_since: 'timestamptz',
  sealed_claims: 'json',
  choice_job: 'text',
  choice_until: 'timestamptz',
  choice_answer: 'text',
  tracking_number: 'text',
  card_last4: 'text',
  has_replacement: 'boolean',
  has_refund: 'boolean',
  sealed_market_fields: 'boolean',
  purchase: 'json',
  summary: 'json',
  personal: 'bytea',
} as const;

const names = Object.keys(ORDER_COLUMNS);

// Not `on conflict`: PostgreSQL logs such a row twice, once to confirm it.
const insert = (rows: string) => `insert into orders (${names.join(', ')}) select ${names.join(', ')} from ${rows}`;

/** The append transaction writes it, so a reader finds what a ping announces. */
export const ordersProjection: InlineProjection<Order, OrderEvent> = {
  name: 'orders',
  columns: ORDER_COLUMNS,
  // Without `on conflict` a row is written to the log at once, not first and then confirmed.
  statementOfNewStream: (rows) => `${insert(rows)} returning 1`,
  statement: (rows) => `${insert(rows)}
    on conflict (id) do update set (${names.join(', ')}) = row (${names.map((name) => `excluded.${name}`).join(', ')})
    returning 1`,
  rows: ({ stream, past, appended, after }) => {
    const id = orderIdOf(stream);
    return id === undefined || !after.known || after.removed ? [] : [orderRow(id, after, [...past, ...appended])];
  },
};
