import { z } from 'zod';
import { eachTagOnce, tagChange } from './tag-change.contract.js';
import { DENIAL_REASONS } from '#domain/order-events';
import { text } from '#base/text';
import { periodEnd } from '#web/instant.contract';
import { CatalogueId } from '#discovery/catalogue.contract';
import { OrderCondition } from '#orders/order-condition.contract';
import { JobFileView } from './files/order-transfer.contract.js';
import { oneOfBoth, refundArguments } from '#money/refund.contract';
import { LONGEST_CHANGE_NOTE } from '#orders/order.limits';
import { ExportArguments } from './order-export.contract.js';

/** Jobs on orders, which change one order after the other. */
export const ORDER_JOB_KINDS = [
  'change_status',
  'accept',
  'deny',
  'tag',
  'assign',
  'cancel_event',
  'postpone_event',
  'move_event',
  'refund',
] as const;
export type OrderJobKind = (typeof ORDER_JOB_KINDS)[number];

/** Those that are for all orders of one show, and change the show itself when they begin. */
export const SHOW_JOB_KINDS = ['cancel_event', 'postpone_event', 'move_event'] as const;
export type ShowJobKind = (typeof SHOW_JOB_KINDS)[number];

/** Jobs that write orders to a file, or read them from one. */
export const ORDER_TRANSFER_KINDS = ['export_orders', 'import_orders'] as const;
export type OrderTransferKind = (typeof ORDER_TRANSFER_KINDS)[number];

export const isOrderTransferKind = (kind: JobKind): kind is OrderTransferKind =>
  ORDER_TRANSFER_KINDS.some((one) => one === kind);

const JOB_KINDS = [...ORDER_JOB_KINDS, ...ORDER_TRANSFER_KINDS] as const;
export type JobKind = (typeof JOB_KINDS)[number];

const JOB_STATES = ['running', 'paused', 'waiting_for_approval', 'done', 'cancelled', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

const JOB_REASONS = ['insufficient_funds'] as const;
export type JobReason = (typeof JOB_REASONS)[number];

const JOB_OUTCOMES = ['done', 'refused', 'unchanged'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** A year. */
const LONGEST_CHOICE_HOURS = 8_784;

const MOST_IDS = 10_000;
const MOST_A_PAGE = 500;
const MOST_JOBS_A_PAGE = 100;

const note = text(LONGEST_CHANGE_NOTE).nullish().meta({ description: 'stored with each change, for colleagues' });
const ids = z.array(text(100).min(1)).min(1).max(MOST_IDS).meta({ description: 'the ids of the orders' });
const showId = text(255).min(1);
const dryRun = z.boolean().default(false).meta({ description: 'only say what would happen' });

/** Which orders: exactly one of these. */
const selection = {
  where: OrderCondition.optional(),
  ids: ids.optional(),
  event_id: showId.optional().meta({ description: 'all orders of the event' }),
};

function orderJob<const Kind extends OrderJobKind, Arguments extends z.ZodType>(kind: Kind, given: Arguments) {
  return z.strictObject({ kind: z.literal(kind), ...selection, arguments: given, dry_run: dryRun });
}

function showJob<const Kind extends ShowJobKind, Arguments extends z.ZodType>(kind: Kind, given: Arguments) {
  return z.strictObject({ kind: z.literal(kind), event_id: showId, arguments: given, dry_run: dryRun });
}

const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'must be like 2026-12-04T20:00:00, without a time zone')
  .refine((value) => !Number.isNaN(Date.parse(`${value}Z`)), 'must be a date that exists');

/** Body of POST /backoffice/v1/jobs. */
export const NewJob = z
  .discriminatedUnion('kind', [
    orderJob('change_status', z.strictObject({ status_code: z.int(), note })),
    orderJob('accept', z.strictObject({ note }).prefault({})),
    orderJob('deny', z.strictObject({ reason: z.enum(DENIAL_REASONS), note })),
    orderJob('tag', z.strictObject(tagChange).check(...eachTagOnce)),
    orderJob('refund', z.strictObject({ ...refundArguments, note }).check(oneOfBoth)),
    orderJob('assign', z.strictObject({ operator_id: text(100).min(1).nullable() })),
    showJob('cancel_event', z.strictObject({ note }).prefault({})),
    showJob(
      'postpone_event',
      z
        .strictObject({
          datetime_local: localTime
            .nullish()
            .meta({ description: 'the new start at the venue; without it, it is not known yet' }),
          choice_within_hours: z.int().min(1).max(LONGEST_CHOICE_HOURS).nullish().meta({
            description: 'buyers who paid here may give their tickets back, for so long after they were asked',
          }),
          choice_until: periodEnd
            .nullish()
            .meta({ description: 'the same, until this instant; a day without a time includes that whole day (UTC)' }),
          note,
        })
        .refine(({ choice_within_hours: hours, choice_until: until }) => hours == null || until == null, {
          error: 'give choice_within_hours or choice_until',
        })
        .prefault({}),
    ),
    showJob(
      'move_event',
      z.strictObject({
        venue_id: CatalogueId.meta({ description: 'the new venue, which the catalogue must have' }),
        datetime_local: localTime
          .nullish()
          .meta({ description: 'the new start at the new venue; without it, the date and the hour stay' }),
        note,
      }),
    ),
    z.strictObject({ kind: z.literal('export_orders'), ...selection, arguments: ExportArguments, dry_run: dryRun }),
  ])
  .refine(
    (job) => {
      const given = [('where' in job && job.where) || undefined, 'ids' in job ? job.ids : undefined, job.event_id];
      const selections = given.filter((one) => one !== undefined).length;
      return selections === 1 || (selections === 0 && job.kind === 'export_orders');
    },
    { error: 'give exactly one of where, ids, event_id; only an export without any is one of all orders' },
  )
  .meta({
    id: 'NewJob',
    example: {
      kind: 'deny',
      where: { field: 'queue', op: '=', value: 'to_confirm' },
      arguments: { reason: 'not_available' },
      dry_run: true,
    },
  });
export type NewJob = z.output<typeof NewJob>;

export type JobArguments = NewJob['arguments'];

const time = z.iso.datetime();

export const Job = z
  .object({
    id: z.string(),
    kind: z.enum(JOB_KINDS),
    state: z.enum(JOB_STATES),
    total: z.int().meta({ description: 'the number of orders' }),
    done: z.int().meta({ description: 'orders that are as they should be, also those that were before' }),
    failed: z.int().meta({ description: 'orders whose change was refused' }),
    arguments: z
      .record(z.string(), z.unknown())
      .meta({ description: 'without the note, which is stored with each order' }),
    selection: z
      .object({
        where: z.unknown().optional().meta({ description: 'null if it names a buyer: such a condition is not kept' }),
        ids: z.int().optional().meta({ description: 'how many ids were given' }),
        event_id: z.string().optional(),
      })
      .meta({ description: 'how the orders were chosen; they are the ones that it matched when the job began' }),
    requested_by: z.string(),
    requested_by_name: z.string().nullable(),
    requested_at: time,
    approved_by: z.string().nullable(),
    approved_by_name: z.string().nullable(),
    can_approve: z
      .boolean()
      .meta({ description: 'it waits for approval, and you are another person than who began it' }),
    why_not: z
      .string()
      .nullable()
      .meta({ description: 'why you cannot approve it; null unless it waits for approval' }),
    finished_at: time.nullable(),
    seconds_left: z.int().nullable().meta({ description: 'estimated from the pace until now' }),
    can_undo: z.boolean().meta({
      description: 'it has ended and changed orders that may have their earlier state again and have not changed since',
    }),
    undoes: z.string().nullable().meta({ description: 'the id of the job whose changes this one takes back' }),
    error: z.string().nullable(),
    reason: z
      .enum(JOB_REASONS)
      .nullable()
      .meta({ description: 'why it has paused by itself; it then goes on by itself' }),
    choices: z
      .object({ asked: z.int(), kept: z.int(), refunded: z.int(), open: z.int() })
      .nullable()
      .meta({
        description:
          'of a show that was postponed: how many buyers were asked what they want, and what they chose; no answer in time keeps the tickets. ' +
          'Orders that ended otherwise count as asked only. Null if the job asks nobody',
      }),
    file: JobFileView.nullable().meta({ description: 'of an export that is done, for 24 hours' }),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

const Result = z.object({
  order_id: z.string(),
  outcome: z.enum(JOB_OUTCOMES),
  reason: z.string().optional().meta({ description: 'why it was refused' }),
});
export type JobResult = z.infer<typeof Result>;

/** Effects are numbers of orders. */
export const JobPreview = z
  .object({
    total: z.int(),
    allowed: z.int().meta({ description: 'that would change' }),
    unchanged: z.int().meta({ description: 'that are so already, or to which nothing happens' }),
    refused: z.int(),
    effects: z.object({
      ping: z.int().meta({ description: 'the platform gets a ping' }),
      refund: z.int().meta({ description: 'a payment is voided or refunded' }),
      restock: z.int().meta({ description: 'tickets are for sale again' }),
      note: z.int().meta({ description: 'the order gets a note that its broker sees' }),
      choice: z.int().meta({ description: 'the buyer is asked whether to keep the tickets' }),
    }),
    amount_returned: z.number().meta({ description: 'in US dollars, by voids and refunds' }),
    by_provider: z
      .array(z.object({ provider: z.string(), day: z.iso.date(), count: z.int(), amount: z.number() }))
      .optional()
      .meta({ description: 'of jobs that refund: the refunds by who makes them, and by the day (UTC) of the payment' }),
    tickets_returned: z.int(),
    needs_approval: z.boolean().meta({ description: 'another person must approve it' }),
    sample: z.array(Result).meta({ description: 'the first orders, with refused ones first' }),
    errors: z
      .array(z.object({ line: z.int().min(1), order_id: z.string().nullable(), message: z.string() }))
      .optional()
      .meta({ description: 'of an import: what is wrong with the first 1,000 lines that are refused' }),
  })
  .meta({ id: 'JobPreview' });
export type JobPreview = z.infer<typeof JobPreview>;

/** Body of POST /backoffice/v1/jobs/{id}/undo. */
export const JobUndoRequest = z
  .strictObject({ dry_run: dryRun })
  .meta({ id: 'JobUndoRequest', examples: [{ dry_run: true }] });

/** Query of GET /backoffice/v1/jobs. */
export const JobQuery = z.strictObject({
  state: z.enum(JOB_STATES).optional(),
  event_id: showId.optional().meta({ description: 'only those that were begun for all orders of this event' }),
  limit: z.coerce.number().int().min(1).max(MOST_JOBS_A_PAGE).default(20),
  cursor: text(512).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type JobQuery = z.output<typeof JobQuery>;

export const JobList = z
  .object({ jobs: z.array(Job), next_cursor: z.string().nullable().meta({ description: 'null on the last page' }) })
  .meta({ id: 'JobList' });
export type JobList = z.infer<typeof JobList>;

/** Query of GET /backoffice/v1/jobs/{id}/results. */
export const JobResultQuery = z.strictObject({
  outcome: z.enum(JOB_OUTCOMES).optional(),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(100),
  cursor: text(512).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type JobResultQuery = z.output<typeof JobResultQuery>;

export const JobResultList = z
  .object({ results: z.array(Result), next_cursor: z.string().nullable() })
  .meta({ id: 'JobResultList' });
export type JobResultList = z.infer<typeof JobResultList>;
