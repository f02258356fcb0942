import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';

/** The platform may have repeated the buyer's data in its answers, so they end with the data. */
export const erasedAnswersProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_answers',
  columns: { order_id: 'text' },
  statement: (rows) => `
    update ping_attempts set answer = null from (select order_id as erased from ${rows}) as orders
    where order_id = erased and answer is not null returning 1`,
  rows: ({ stream, appended }) =>
    appended.some(({ type }) => type === 'PersonalDataErased') ? [{ order_id: orderIdOf(stream) }] : [],
};
