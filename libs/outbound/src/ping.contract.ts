import { z } from 'zod';
import { text } from '#base/text';

const STATES = ['pending', 'delivered', 'parked'] as const;
const MOST_A_PAGE = 200;

const filter = {
  state: z.enum(STATES).optional(),
  order_id: text(255).min(1).optional(),
};

const PingAttempt = z
  .object({
    attempt: z.int(),
    started_at: z.iso.datetime(),
    duration_ms: z.int(),
    http_status: z.int().nullable(),
    error: z.string().nullable(),
    answer: z.string().nullable().exactOptional().meta({
      description:
        'the first kilobyte of the body that the platform sent; only in the lists of pings and in transactions, for those who may read deliveries',
    }),
  })
  .meta({ id: 'PingAttempt' });

/** One due notification of the platform and its outcome. */
export const Ping = z
  .object({
    id: z.string(),
    order_id: z.string(),
    ref_id: z.string().nullable(),
    sequence: z.int().meta({ description: '1, 2, 3 … within the order' }),
    status: z.string(),
    status_message: z.string(),
    status_code: z.int(),
    occurred_at: z.iso.datetime(),
    transaction_id: z.string(),
    state: z.enum(['pending', 'delivered', 'parked']),
    tries: z.int(),
    next_try_at: z.iso.datetime().nullable(),
    delivered_at: z.iso.datetime().nullable(),
    attempts: z.array(PingAttempt),
  })
  .meta({ id: 'Ping' });
export type Ping = z.infer<typeof Ping>;

/** Query of GET /backoffice/v1/pings. */
export const PingListQuery = z.strictObject({
  ...filter,
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: text(512).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type PingListQuery = z.output<typeof PingListQuery>;

export const PingList = z
  .object({ pings: z.array(Ping), next_cursor: z.string().nullable().meta({ description: 'null on the last page' }) })
  .meta({ id: 'PingList' });
export type PingList = z.infer<typeof PingList>;

/** Body of POST /backoffice/v1/pings/send. The filter may be in `filter` or beside `dry_run`. Its default state is `parked`. */
export const PingsToSend = z
  .strictObject({
    ...filter,
    filter: z.strictObject(filter).optional(),
    dry_run: z.boolean().default(false).meta({ description: 'only report which pings the filter finds' }),
  })
  .meta({ id: 'PingsToSend', examples: [{ state: 'parked', dry_run: true }] });
export type PingsToSend = z.output<typeof PingsToSend>;

export const PingsSent = z
  .object({
    dry_run: z.boolean(),
    matched: z.int().meta({ description: 'pings the filter found' }),
    sent: z.int().meta({ description: 'how many of them are being sent: all, or none on a dry run' }),
    ids: z.array(z.string()).meta({ description: 'the first hundred of them' }),
  })
  .meta({ id: 'PingsSent' });
export type PingsSent = z.infer<typeof PingsSent>;

/** What the platform has to answer to a purchase ping. Other fields are ignored. */
export const PurchasePingAnswer = z.looseObject({
  order_id: z.string().meta({ description: 'the order of the ping' }),
});
