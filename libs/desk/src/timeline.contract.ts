import { z } from 'zod';

const MOST_A_PAGE = 200;

const TIMELINE_KINDS = [
  'event',
  'payment',
  'ping',
  'ping_attempt',
  'webhook_attempt',
  'platform_read',
  'note',
  'assignment',
  'email',
  'download',
  'reveal',
] as const;

/** Query of GET /backoffice/v1/orders/{id}/timeline. */
export const TimelineQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(100),
  cursor: z.string().max(512).optional().meta({ description: '`next_cursor` of the page before, with the same sort' }),
  sort: z.enum(['at.asc', 'at.desc']).default('at.asc').meta({ description: 'oldest first, or newest first' }),
});
export type TimelineQuery = z.output<typeof TimelineQuery>;

/** Something that happened to an order. */
export const TimelineEntry = z
  .object({
    at: z.iso.datetime(),
    kind: z.enum(TIMELINE_KINDS),
    actor: z
      .string()
      .meta({ description: '`operator:<id>`, `token:<id>`, `platform:<client id>`, `system` or `system:<what>`' }),
    actor_name: z.string().nullable().meta({ description: 'the name of the operator' }),
    title: z.string().meta({ description: 'what happened, for people' }),
    detail: z.record(z.string(), z.unknown()),
    transaction_id: z.string().nullable(),
    version: z.int().exactOptional().meta({ description: 'the version of the order that an event made' }),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const Timeline = z
  .object({
    entries: z.array(TimelineEntry),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof Timeline>;
