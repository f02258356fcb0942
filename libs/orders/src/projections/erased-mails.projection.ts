import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { InlineProjection } from '#event-store/inline-projection';

/** Without a mail server, mails are files that say the buyer's name in clear. */
export const erasedMailsProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_mails',
  columns: { order_id: 'text', at: 'timestamptz' },
  statement: (rows) => `
    insert into object_removals (key, due_at) select 'mail/' || m.id || '.eml', erased_mails.at
    from ${rows} join mails m on m.order_id = erased_mails.order_id where m.sent_at is not null
    on conflict do nothing returning 1`,
  rows: ({ stream, appended }) => {
    const erased = appended.find(({ type }) => type === 'PersonalDataErased');
    return erased ? [{ order_id: orderIdOf(stream), at: erased.recorded_at }] : [];
  },
};
