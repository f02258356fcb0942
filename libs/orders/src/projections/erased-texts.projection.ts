import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';

const columns = { order_id: 'text' } as const;

function rows({ stream, appended }: AppendContext<Order, OrderEvent>): readonly { order_id: string | undefined }[] {
  return appended.some(({ type }) => type === 'PersonalDataErased') ? [{ order_id: orderIdOf(stream) }] : [];
}

/** Notes of changes from before they were sealed. Sealed ones go too, although nobody can open them without the key. */
export const erasedHistoryNotesProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_history_notes',
  columns,
  statement: (source) => `
    update status_history h set note = null, sealed_note = null from ${source}
    where h.order_id = erased_history_notes.order_id and (h.note is not null or h.sealed_note is not null) returning 1`,
  rows,
};

/** Notes beside the order that are sealed with the main key, because the order had no key of its own. */
export const erasedDeskNotesProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_desk_notes',
  columns,
  statement: (source) => `
    update order_notes n set sealed = '' from ${source}
    where n.order_id = erased_desk_notes.order_id and n.sealed like 'main:%' returning 1`,
  rows,
};

/** A receiver may have repeated the buyer's data in its answers. */
export const erasedWebhookAnswersProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_webhook_answers',
  columns,
  statement: (source) => `
    update webhook_attempts a set answer = null
    from ${source}
    cross join lateral (
      select position from ping_stream where order_id = erased_webhook_answers.order_id
      union all
      select position from money_stream where order_id = erased_webhook_answers.order_id) as s
    cross join webhooks w
    where a.webhook_id = w.id and a.position = s.position and a.answer is not null returning 1`,
  rows,
};

/** The first answers that `Idempotency-Key` repeats. Whoever repeats such a request later hears that its answer is gone. */
export const erasedKeptAnswersProjection: InlineProjection<Order, OrderEvent> = {
  name: 'erased_kept_answers',
  columns,
  statement: (source) => `
    update idempotency_keys i set answer = null, request = null, erased = true from ${source}
    where i.orders @> array[erased_kept_answers.order_id] returning 1`,
  rows,
};
