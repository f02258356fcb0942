import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';

/** Evidence packs show the buyer. They are sealed with the key that is deleted, so nothing could open them any more. */
export const erasedPacksProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_packs',
  columns: { order_id: 'text' },
  statement: (rows) => `delete from dispute_packs p using ${rows} where p.order_id = erased_packs.order_id returning 1`,
  rows: ({ stream, appended }) =>
    appended.some(({ type }) => type === 'PersonalDataErased') ? [{ order_id: orderIdOf(stream) }] : [],
};
