import type { OrderEvent } from '#domain/order/order-events';
import type { Order } from '#domain/order/order-state';
import { orderIdOf } from '#domain/order/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';
import type { PersonalDataKey } from './purchase-drafts.js';

/** In a table of its own, so that the key can be deleted. */
export const personalDataKeysProjection: InlineProjection<Order, OrderEvent> = {
  name: 'personal_data_keys',
  columns: { order_id: 'text', key: 'bytea', email_digest: 'bytea' },
  statement: (rows) =>
    `insert into personal_data_keys (order_id, key, email_digest) select order_id, key, email_digest from ${rows} returning 1`,
  rows: ({ stream, before, attachments }) => {
    const given = attachments['personalDataKey'] as PersonalDataKey | undefined;
    if (!given || before.known) return [];
    const digest = given.emailDigest;
    return [{ order_id: orderIdOf(stream), key: hex(given.key), email_digest: digest && hex(digest) }];
  },
};

/** Nobody can read the data again, neither in the log nor in a backup of the log. */
export const erasedPersonalDataProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_personal_data',
  columns: { order_id: 'text' },
  statement: (rows) =>
    `delete from personal_data_keys k using ${rows} where k.order_id = erased_personal_data.order_id returning 1`,
  rows: ({ stream, before, after }) => {
    const isErased = (order: Order) => order.known && order.personalDataErased;
    return isErased(after) && !isErased(before) ? [{ order_id: orderIdOf(stream) }] : [];
  },
};

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
