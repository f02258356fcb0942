import { z } from 'zod';
import { text } from '#base/text';

const MOST_A_PAGE = 100;

const InboxNoticeKind = z.enum(['mention', 'assigned']).meta({
  description: '`mention`: a note names you; `assigned`: the order is yours to take care of',
});
export type InboxNoticeKind = z.infer<typeof InboxNoticeKind>;

/** Query of GET /backoffice/v1/inbox. */
export const InboxQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(20),
  cursor: z.string().max(64).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type InboxQuery = z.output<typeof InboxQuery>;

export const InboxNotice = z
  .object({
    id: z.string(),
    kind: InboxNoticeKind,
    order_id: z.string().meta({ description: 'the first one, if there are several `orders`' }),
    orders: z.int().meta({ description: 'how many orders were assigned together' }),
    actor: z.string().meta({ description: '`operator:<id>`, `token:<id>` or `system`' }),
    actor_name: z.string().nullable().meta({ description: 'of an operator' }),
    at: z.iso.datetime(),
    read_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'InboxNotice' });
export type InboxNotice = z.infer<typeof InboxNotice>;

export const InboxPage = z
  .object({
    notices: z.array(InboxNotice),
    unread: z.int().meta({ description: 'of all your notices, at most 100' }),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'InboxPage' });
export type InboxPage = z.infer<typeof InboxPage>;

/** Body of POST /backoffice/v1/inbox/read. */
export const ReadInbox = z
  .strictObject({
    ids: z
      .array(text(20).regex(/^[1-9]\d{0,15}$/, 'must be the id of a notice'))
      .max(MOST_A_PAGE)
      .optional()
      .meta({ description: 'without it all' }),
  })
  .meta({ id: 'ReadInbox', examples: [{ ids: ['7'] }] });
export type ReadInbox = z.output<typeof ReadInbox>;

export const UnreadInbox = z.object({ unread: InboxPage.shape.unread }).meta({ id: 'UnreadInbox' });
export type UnreadInbox = z.infer<typeof UnreadInbox>;

/** How somebody gets notices besides in the console. */
export const InboxSettings = z
  .strictObject({ email: z.boolean().meta({ description: 'true at first' }) })
  .meta({ id: 'InboxSettings', examples: [{ email: false }] });
export type InboxSettings = z.output<typeof InboxSettings>;
