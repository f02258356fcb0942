import { dollarsOf } from '#domain/money';
import type { Ping } from '#outbound/ping.contract';
import type { DetailedOrder, ListedOrder } from '#orders/order-queries';
import { table, visible } from './terminal/text-table.js';
import type { OrderContext } from './with-orders.js';

type OpenNote = OrderContext['openNote'];

/** The JSON of an order: as the back office shows it, without the buyer's data, because the back office audits reads of it. */
export function orderDocument(order: ListedOrder): object {
  const { id, version, client_id, variant, stage, transaction_id, placed_at, updated_at, purchase } = order;
  const { status_history: _, delivery_method: delivery, ...shown } = purchase;
  const total = dollarsOf(order.total_cents);
  return {
    ...shown,
    delivery_method: { type: delivery.type },
    id,
    version,
    client_id,
    variant,
    stage,
    transaction_id,
    total,
    placed_at: placed_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** Adds the history, payment and pings. */
export function detailDocument(order: DetailedOrder, pings: readonly Ping[], openNote: OpenNote): object {
  const { payment, trusted, personal_data } = order.summary;
  return {
    ...orderDocument(order),
    status_history: historyOf(order, openNote),
    payment,
    trusted,
    personal_data,
    pings,
  };
}

export function orderTable(orders: readonly ListedOrder[]): string {
  const rows = orders.map((order) => [
    order.id,
    String(order.version),
    order.placed_at.toISOString(),
    statusOf(order),
    String(order.purchase.product.quantity),
    dollarsOf(order.total_cents).toFixed(2),
    order.purchase.product.listing_id,
    order.purchase.ref_id ?? '',
  ]);
  return table(['order', 'version', 'placed', 'status', 'tickets', 'total', 'listing', 'ref_id'], rows);
}

export function orderText(order: DetailedOrder, pings: readonly Ping[], openNote: OpenNote): string {
  const { product, fulfillment, ref_id, delivery_method } = order.purchase;
  const { payment } = order.summary;
  const facts: [string, string][] = [
    ['order', order.id],
    ['version', String(order.version)],
    ['status', statusOf(order)],
    ['client', `${order.client_id} (${order.variant})`],
    ['ref_id', ref_id ?? ''],
    ['tickets', `${product.quantity} of listing ${product.listing_id}, event ${product.event_id}`],
    ['total', dollarsOf(order.total_cents).toFixed(2)],
    ['delivery', delivery_method.type],
    ['fulfillment', fulfillment ? `${fulfillment.type} ${Object.values(fulfillment.data).join(' ')}` : 'none yet'],
    ['payment', payment ? `${payment.type}, ${payment.state}` : 'none'],
    ['transaction', order.transaction_id],
  ];
  const history = historyOf(order, openNote).map(({ created_at, status_code, status_message, actor, note }) => {
    return [created_at, String(status_code), status_message, actor, note ?? ''];
  });
  const sent = pings.map(({ id, status_code, state, tries, delivered_at, next_try_at }) => {
    return [id, String(status_code), state, String(tries), delivered_at ?? next_try_at ?? ''];
  });
  return [
    ...facts.map(([name, value]) => `${name.padEnd(12)}${visible(value)}`.trimEnd()),
    '',
    table(['history', 'code', 'message', 'by', 'note'], history),
    '',
    table(['ping', 'code', 'state', 'tries', 'delivered or next try'], sent),
  ].join('\n');
}

function statusOf({ purchase: { status }, stage }: ListedOrder): string {
  return status ? `${status.status_code} ${status.status_message}` : stage.replace('_', ' ');
}

function historyOf(order: DetailedOrder, openNote: OpenNote) {
  return order.purchase.status_history.map((entry, index) => {
    const stored = order.history[index];
    return { ...entry, actor: stored?.actor ?? '', note: stored ? openNote(order, stored) : null };
  });
}
