import { z } from 'zod';
import { text } from '#base/text';

export const TASK_KINDS = [
  'capture_failed',
  'hold_expires',
  'refund_failed',
  'difference',
  'dispute',
  'unknown',
] as const;

const time = z.iso.datetime();
const side = z.union([z.number(), z.string()]).nullable();

export const MoneyTask = z
  .object({
    id: z.string(),
    kind: z.enum(TASK_KINDS).meta({
      description:
        'hold_expires: the amount has to be captured before `due_at`; refund_failed: or not made for an hour; unknown: the provider does not say what became of the payment',
    }),
    order_id: z.string().nullable(),
    reference: z.string().nullable().meta({ description: "the provider's id of the payment, refund or dispute" }),
    due_at: time.nullable(),
    ours: side.meta({ description: 'what we have: an amount, or a text' }),
    theirs: side.meta({ description: 'what the provider has' }),
    opened_at: time,
    done_at: time.nullable(),
  })
  .meta({ id: 'MoneyTask' });
export type MoneyTask = z.infer<typeof MoneyTask>;

export const MoneyTaskList = z
  .object({ tasks: z.array(MoneyTask), next_cursor: z.string().nullable() })
  .meta({ id: 'MoneyTaskList' });
export type MoneyTaskList = z.infer<typeof MoneyTaskList>;

export const MoneyTaskQuery = z.object({
  kind: z.enum(TASK_KINDS).optional(),
  state: z.enum(['open', 'done']).optional(),
  order_id: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});
export type MoneyTaskQuery = z.output<typeof MoneyTaskQuery>;

/** Body of POST /backoffice/v1/money/tasks/{id}/done. */
export const MoneyTaskEnd = z
  .strictObject({
    note: text(2_000)
      .min(1, 'must not be empty')
      .meta({ description: 'what was done; it becomes a note on the order' }),
  })
  .meta({ id: 'MoneyTaskEnd', examples: [{ note: 'Paid back by bank transfer.' }] });
export type MoneyTaskEnd = z.infer<typeof MoneyTaskEnd>;
