import { z } from 'zod';
import { STATUS_VALUES } from '#domain/status';
import { FASTEST_DELIVERY, USUAL_REPLAY_RATE } from './delivery.limits.js';
import { text } from '#base/text';

const STATES = ['running', 'paused', 'done', 'cancelled'] as const;
const MOST_A_PAGE = 200;
const MOST_NAMED = 1_000;

const time = z.iso.datetime({ offset: true });

/** Selects what is sent again: the entries of the ping stream that meet every condition. */
const selection = {
  order_ids: z.array(text(255).min(1)).min(1).max(MOST_NAMED).optional(),
  ids: z
    .array(z.string().regex(/^png_[0-9a-f]{32}_[1-9]\d{0,8}$/, 'must be the id of a ping'))
    .min(1)
    .max(MOST_NAMED)
    .optional()
    .meta({ description: 'ids of pings; webhooks and the stream have the same ids' }),
  statuses: z.array(z.enum(STATUS_VALUES)).min(1).optional(),
  since: time.optional().meta({ description: 'the change happened at this time or later' }),
  until: time.optional().meta({ description: 'the change happened before this time' }),
};

/** Body of POST /backoffice/v1/replays. */
export const NewReplay = z
  .strictObject({
    endpoint: z
      .string()
      .regex(/^(platform|whk_[0-9a-f]{32})$/, 'must be `platform` or the id of a webhook')
      .default('platform')
      .meta({ description: '`platform`, or the id of a webhook' }),
    ...selection,
    per_second: z
      .int()
      .min(1)
      .max(FASTEST_DELIVERY)
      .default(USUAL_REPLAY_RATE)
      .meta({ description: 'maximum sent per second' }),
    dry_run: z.boolean().default(false).meta({ description: 'only count, and return the first ten' }),
  })
  .refine(
    ({ order_ids, ids, statuses, since, until }) => [order_ids, ids, statuses, since, until].some((given) => given),
    { error: 'give at least one of order_ids, ids, statuses, since, until' },
  )
  .refine(({ since, until }) => since === undefined || until === undefined || Date.parse(since) < Date.parse(until), {
    path: ['until'],
    error: 'must be later than since',
  })
  .meta({
    id: 'NewReplay',
    examples: [{ endpoint: 'platform', since: '2026-11-21T00:00:00Z', per_second: 50, dry_run: true }],
  });
export type NewReplay = z.output<typeof NewReplay>;

export const Replay = z
  .object({
    id: z.string(),
    endpoint: z.string(),
    selection: z.object(selection),
    per_second: z.int(),
    state: z.enum(STATES),
    total: z.int(),
    sent: z.int().meta({ description: 'sent at least once, with any outcome' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Replay' });
export type Replay = z.infer<typeof Replay>;

export const ReplayPreview = z
  .object({
    dry_run: z.literal(true),
    total: z.int(),
    ids: z.array(z.string()).meta({ description: 'the first ten' }),
  })
  .meta({ id: 'ReplayPreview' });
export type ReplayPreview = z.infer<typeof ReplayPreview>;

/** Query of GET /backoffice/v1/replays. */
export const ReplayQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: text(512).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type ReplayQuery = z.output<typeof ReplayQuery>;

export const ReplayList = z
  .object({
    replays: z.array(Replay),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'ReplayList' });
export type ReplayList = z.infer<typeof ReplayList>;
