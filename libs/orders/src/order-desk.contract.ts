import { z } from 'zod';
import { LONGEST_NOTE, LONGEST_TAG } from './order.limits.js';
import { printedText, text } from '#base/text';

const MOST_TAGS = 50;
const MOST_MENTIONS = 20;

const tag = printedText(LONGEST_TAG);

const visibility = z.enum(['internal', 'partner']).meta({
  description: "`partner`: the brokers of the order's seller see it too; their own notes always are",
});

/** Body of PUT /backoffice/v1/orders/{id}/tags. */
export const OrderTags = z
  .array(tag)
  .max(MOST_TAGS)
  .meta({ id: 'OrderTags', examples: [['vip', 'call back']] });
export type OrderTags = z.infer<typeof OrderTags>;

/** Body of PUT /backoffice/v1/orders/{id}/assignee. */
export const OrderAssignee = z
  .strictObject({ operator_id: text(100).min(1).nullable().meta({ description: 'null: nobody' }) })
  .meta({ id: 'OrderAssignee', examples: [{ operator_id: null }] });
export type OrderAssignee = z.infer<typeof OrderAssignee>;

/** Body of POST /backoffice/v1/orders/{id}/notes. */
export const NewOrderNote = z
  .strictObject({
    text: text(LONGEST_NOTE).trim().min(1),
    visibility: visibility.optional(),
    mentions: z.array(text(100).min(1)).max(MOST_MENTIONS).default([]).meta({
      description:
        'ids of operators who get a notice; `GET …/orders/{id}/people` lists whom. The text may name them as it likes. Somebody who may not read the note: 400',
    }),
  })
  .meta({ id: 'NewOrderNote', examples: [{ text: 'She will call again on Monday.', visibility: 'internal' }] });
export type NewOrderNote = z.output<typeof NewOrderNote>;

export const OrderNote = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    author: z.string().meta({ description: '`operator:<id>` or `token:<id>`' }),
    author_name: z.string().nullable().meta({ description: 'the name of the operator' }),
    visibility,
    text: z.string().nullable().meta({ description: "null after the buyer's data was erased" }),
    mentions: z.array(z.object({ operator_id: z.string(), name: z.string() })),
  })
  .meta({ id: 'OrderNote' });
export type OrderNote = z.infer<typeof OrderNote>;

export const OrderNoteList = z.object({ notes: z.array(OrderNote) }).meta({ id: 'OrderNoteList' });
export type OrderNoteList = z.infer<typeof OrderNoteList>;

/** The operators that an order can be assigned to. */
export const AssigneeList = z
  .object({ assignees: z.array(z.object({ id: z.string(), name: z.string() })) })
  .meta({ id: 'AssigneeList' });
export type AssigneeList = z.infer<typeof AssigneeList>;
