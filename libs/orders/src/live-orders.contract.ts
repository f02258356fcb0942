import { z } from 'zod';
import { Status } from './purchase.contract.js';
import { text } from '#base/text';

/** An order that has changed. It holds nothing personal. A reader asks for the rest with its own permissions. */
export const LiveOrderChange = z
  .object({
    order_id: z.string(),
    version: z.int(),
    desk_version: z.int().meta({ description: 'the version of the tags and the assignee' }),
    status: z.string().nullable().meta({ description: 'null while the payment is open, and if the payment failed' }),
    status_message: Status.shape.status_message.nullable(),
    status_code: Status.shape.status_code.nullable(),
  })
  .meta({ id: 'LiveOrderChange' });
export type LiveOrderChange = z.infer<typeof LiveOrderChange>;

/** The data of an event without a type of GET /backoffice/v1/orders/changes/live. */
export const LiveOrderChanges = z.object({ changes: z.array(LiveOrderChange) }).meta({ id: 'LiveOrderChanges' });
export type LiveOrderChanges = z.infer<typeof LiveOrderChanges>;

/** Query of GET /backoffice/v1/orders/changes/live. */
export const LiveOrdersQuery = z.strictObject({
  after: text(100)
    .optional()
    .meta({ description: 'the id of an event to continue after, if there is no Last-Event-ID' }),
});
export type LiveOrdersQuery = z.output<typeof LiveOrdersQuery>;
