import { freesPurchaseKey } from '#domain/order-effects';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';

/** A duplicate purchase fails with this name as `ProjectionConflict.projection`. */
export const PURCHASE_KEYS = 'purchase_keys';

const columns = { client_id: 'text', key: 'text', order_id: 'text' } as const;

/** Refuses a repeated purchase, also under concurrency. */
export const purchaseKeysProjection: InlineProjection<Order, OrderEvent> = {
  name: PURCHASE_KEYS,
  columns,
  statement: (rows) =>
    `insert into purchase_keys (client_id, key, order_id) select client_id, key, order_id from ${rows} returning 1`,
  rows: ({ stream, before, after }) => (!before.known && after.known ? purchaseKeyRows(stream, after) : []),
};

/** Frees the `ref_id` of an attempt whose payment failed, so the platform may try another card. */
export const freedPurchaseKeysProjection: InlineProjection<Order, OrderEvent> = {
  name: 'freed_purchase_keys',
  columns,
  statement: (rows) => `delete from purchase_keys k using ${rows}
    where k.client_id = freed_purchase_keys.client_id and k.key = freed_purchase_keys.key
      and k.order_id = freed_purchase_keys.order_id returning 1`,
  rows: ({ stream, before, after }) => {
    const isFreed = before.known && !freesPurchaseKey(before) && after.known && freesPurchaseKey(after);
    return isFreed ? purchaseKeyRows(stream, after) : [];
  },
};

export type PurchaseKeyRow = Readonly<{ client_id: string; key: string; order_id: string }>;

/** No row if the purchase has no key. */
export function purchaseKeyRows(stream: string, { purchase }: KnownOrder): readonly PurchaseKeyRow[] {
  const { client_id, duplicate_key: key } = purchase;
  return key === null ? [] : [{ client_id, key, order_id: orderIdOf(stream) ?? stream }];
}
