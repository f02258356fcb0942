import { z } from 'zod';
import { instant, periodEnd } from '#web/instant.contract';
import { text } from '#base/text';

const ENDPOINT_STATES = ['delivering', 'behind', 'failing', 'open', 'paused', 'disabled'] as const;
const MOST_A_PAGE = 200;
const YEAR_SECONDS = 366 * 24 * 60 * 60;

const time = z.iso.datetime().nullable();

export const DeliveryHealthReport = z
  .object({
    endpoints: z.array(
      z.object({
        endpoint: z.string().meta({ description: '`platform`, or the id of a webhook' }),
        kind: z.enum(['platform', 'webhook']),
        url: z.string().meta({ description: '`sandbox` for the built-in platform' }),
        state: z.enum(ENDPOINT_STATES).meta({
          description:
            'behind: something has waited for more than a minute; failing: none of the last ten attempts succeeded; open: held back by its breaker',
        }),
        pending: z.int(),
        parked: z.int().meta({ description: 'the retry schedule is over' }),
        oldest_undelivered_at: time.meta({ description: 'when the oldest pending one became due' }),
        attempts: z.int().meta({ description: 'in the last hour; only the newest if there are many' }),
        success_rate: z.number().nullable().meta({ description: 'of these attempts, 0 to 1' }),
        p50_ms: z.int().nullable(),
        p99_ms: z.int().nullable(),
        last_delivered_at: time,
      }),
    ),
  })
  .meta({ id: 'DeliveryHealthReport' });
export type DeliveryHealthReport = z.infer<typeof DeliveryHealthReport>;

/** Query of GET /backoffice/v1/delivery/history. */
export const DeliveryHistoryQuery = z.strictObject({
  from: instant.optional().meta({ description: 'inclusive. Without it: a day before `to`' }),
  to: periodEnd
    .optional()
    .meta({ description: 'exclusive, but a day without a time includes that whole day (UTC). Without it: now' }),
});
export type DeliveryHistoryQuery = z.output<typeof DeliveryHistoryQuery>;

/** Attempts and what waited, over time. */
export const DeliveryHistoryReport = z
  .object({
    step_seconds: z.int().meta({ description: 'how long one point lasts' }),
    endpoints: z.array(
      z.object({
        endpoint: z.string().meta({ description: '`platform`, or the id of a webhook' }),
        points: z
          .array(
            z.object({
              at: z.iso.datetime().meta({ description: 'when it begins' }),
              attempts: z.int(),
              delivered: z.int(),
              p50_ms: z
                .int()
                .nullable()
                .meta({ description: 'estimated, at most a quarter off; null without attempts' }),
              p99_ms: z.int().nullable(),
              pending: z.int().nullable().meta({ description: 'the most that waited; null if nobody looked' }),
              parked: z.int().nullable(),
              oldest_s: z.int().nullable().meta({ description: 'the longest that the oldest waited, in seconds' }),
            }),
          )
          .meta({ description: 'oldest first; those of which nothing is known are left out' }),
      }),
    ),
  })
  .meta({ id: 'DeliveryHistoryReport' });
export type DeliveryHistoryReport = z.infer<typeof DeliveryHistoryReport>;

const OLDER = { description: 'leave out orders that changed in the last seconds: their pings may be on their way' };

/** Query of GET /backoffice/v1/delivery/drift. */
export const DriftQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: text(512).optional().meta({ description: '`next_cursor` of the page before' }),
  older_than_seconds: z.coerce.number().int().min(0).max(YEAR_SECONDS).default(0).meta(OLDER),
});
export type DriftQuery = z.output<typeof DriftQuery>;

export const DriftReport = z
  .object({
    orders: z.array(
      z.object({
        order_id: z.string(),
        ref_id: z.string().nullable(),
        status: z.string(),
        status_code: z.int(),
        status_message: z.string(),
        sequence: z.int(),
        changed_at: z.iso.datetime(),
        last_acknowledged: z.object({ sequence: z.int(), at: z.iso.datetime() }).nullable(),
        last_read_at: time,
        why: z.enum(['pending', 'parked', 'never_acknowledged']),
        ping: z
          .object({ id: z.string(), state: z.enum(['pending', 'parked']), tries: z.int(), next_try_at: time })
          .meta({ description: 'of the latest status' }),
      }),
    ),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'DriftReport' });
export type DriftReport = z.infer<typeof DriftReport>;

/** Body of POST /backoffice/v1/delivery/drift/send. */
export const DriftToSend = z
  .strictObject({
    dry_run: z.boolean().default(false).meta({ description: 'only report which pings it would send' }),
    older_than_seconds: z.int().min(0).max(YEAR_SECONDS).default(0).meta(OLDER),
  })
  .meta({ id: 'DriftToSend', examples: [{ dry_run: true, older_than_seconds: 300 }] });
export type DriftToSend = z.output<typeof DriftToSend>;
