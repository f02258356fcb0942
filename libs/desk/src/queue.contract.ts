import { z } from 'zod';
import { emailAddress } from '#base/email-address';
import { instant } from '#web/instant.contract';
import { visibleName } from '#base/text';
import { OrderSummary } from '#orders/order.contract';
import { QUEUES, StoredCondition } from '#orders/order-condition.contract';
import { DUE_FIELDS } from '#orders/order-search.contract';
import { LONGEST_QUEUE_NAME, MOST_QUEUE_MINUTES } from './desk.limits.js';
import { readOnlyFields } from '#web/read-only.contract';

const MOST_A_PAGE = 200;

const Due = z.strictObject({
  field: z.enum(DUE_FIELDS).meta({ description: '`due_at`: the deadline of the broker, as in a search' }),
  minutes: z
    .int()
    .min(-MOST_QUEUE_MINUTES)
    .max(MOST_QUEUE_MINUTES)
    .meta({ description: 'after that time; negative: before it' }),
});

const QUEUE_EXAMPLE = {
  name: 'Large orders, call within 30 minutes',
  where: { field: 'total', op: '>=', value: 500 },
  due: { field: 'placed_at', minutes: 30 },
};

/** Body of POST /backoffice/v1/queues. */
export const CustomQueueBody = z
  .strictObject({
    name: visibleName(LONGEST_QUEUE_NAME),
    where: StoredCondition.meta({ description: 'an `OrderCondition`, as in a search' }),
    due: Due,
  })
  .meta({
    id: 'OwnQueueBody',
    example: QUEUE_EXAMPLE,
  });
export type CustomQueueBody = z.output<typeof CustomQueueBody>;

const SHOWN_ONLY = ['id', 'built_in', 'count', 'overdue', 'next_due_at', 'snoozed', 'escalated', 'escalation'] as const;

/** Body of PUT /backoffice/v1/queues/{id}. */
export const CustomQueueReplacement = CustomQueueBody.extend(readOnlyFields(...SHOWN_ONLY)).meta({
  id: 'OwnQueueReplacement',
  example: QUEUE_EXAMPLE,
});
export type CustomQueueReplacement = z.output<typeof CustomQueueReplacement>;

const OPERATOR_ID = z.string().max(100);

const escalation = {
  after_minutes: z.int().min(1).max(MOST_QUEUE_MINUTES).nullable().meta({
    description:
      'an order that stays in the queue for longer is escalated; in `overdue` and in a custom queue, an open order that is overdue there for longer. null: none is, and those that were stay so',
  }),
  assignee: OPERATOR_ID.nullish().meta({ description: 'the id of the operator who then gets the order' }),
  notify: emailAddress().nullish().meta({ description: 'who is told of it by e-mail, once' }),
};

/** Body of PUT /backoffice/v1/queues/{id}/escalation. Null, which a queue without one shows, ends it. */
export const QueueEscalation = z
  .strictObject({ ...escalation, ...readOnlyFields('assignee_name') })
  .meta({ id: 'QueueEscalation', example: { after_minutes: 30, notify: 'team-leads@example.com' } })
  .nullable();
export type QueueEscalation = z.output<typeof QueueEscalation>;

const ShownEscalation = z
  .strictObject({
    ...escalation,
    assignee_name: z.string().nullable().meta({ description: 'null without an assignee' }),
  })
  .meta({ id: 'ShownQueueEscalation' });

export const Queue = z
  .object({
    id: z.string().meta({ description: `${QUEUES.join(', ')}, money, or that of a custom queue` }),
    name: z.string(),
    built_in: z.boolean(),
    count: z.int().meta({ description: 'without snoozed orders' }),
    overdue: z.int().meta({
      description: 'orders whose due time has passed; of the built-in queues only `overdue` and `money` have them',
    }),
    next_due_at: z.iso.datetime().nullable().meta({ description: 'the due time of the first order of the queue' }),
    snoozed: z.int().meta({ description: 'orders that will come back' }),
    escalated: z.int().meta({ description: 'orders that have been here for too long' }),
    escalation: ShownEscalation.nullable().meta({
      description: 'when an order is escalated; null if never, and for brokers',
    }),
    where: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'null for a built-in queue, and for brokers' }),
    due: Due.nullable().meta({ description: 'null for a built-in queue' }),
  })
  .meta({ id: 'Queue' });
export type Queue = z.infer<typeof Queue>;

export const QueueList = z.object({ queues: z.array(Queue) }).meta({ id: 'QueueList' });
export type QueueList = z.infer<typeof QueueList>;

/** Query of GET /backoffice/v1/queues/{id}/orders. */
export const QueuePageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: z.string().max(1_024).optional().meta({ description: '`next_cursor` of the page before' }),
  snoozed: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .meta({ description: 'true: the snoozed orders of a built-in queue instead' }),
  escalated: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .meta({ description: 'true: only the escalated orders' }),
});
export type QueuePageQuery = z.output<typeof QueuePageQuery>;

/** Where an order waits, and until when. */
const place = {
  queue: z.enum(QUEUES).nullable().meta({ description: 'the built-in queue that the order is in' }),
  due_at: z.iso.datetime().nullable().meta({ description: 'by when it is to be done in this queue' }),
  overdue: z.boolean(),
  snoozed_until: z.iso.datetime().nullable(),
  escalated_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'since when the order counts as too long in this queue' }),
};

/** The queue of one order. */
export const OrderQueue = z.object(place).meta({ id: 'OrderQueue' });
export type OrderQueue = z.infer<typeof OrderQueue>;

/** An order with its clock. */
const QueuedOrder = OrderSummary.extend({
  ...place,
  notes: z.int().meta({ description: 'how many notes it has that the caller may read' }),
}).meta({ id: 'QueuedOrder' });
export type QueuedOrder = z.infer<typeof QueuedOrder>;

export const QueuePage = z
  .object({
    orders: z.array(QueuedOrder).meta({ description: 'by due time, first those that are due first' }),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'QueuePage' });
export type QueuePage = z.infer<typeof QueuePage>;

/** Body of PUT /backoffice/v1/orders/{id}/snooze. */
export const OrderSnooze = z
  .strictObject({
    until: instant.nullable().meta({
      description: 'null ends the snooze; a due time that comes before also ends it',
    }),
  })
  .meta({ id: 'OrderSnooze', example: { until: '2030-01-31T09:00:00Z' } });
export type OrderSnooze = z.output<typeof OrderSnooze>;
