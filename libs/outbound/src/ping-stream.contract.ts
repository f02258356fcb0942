import { z } from 'zod';
import { STATUS_VALUES } from '#domain/status';
import { ErrorBody } from '#web/error-body.contract';
import { several } from '#web/several.contract';
import { text } from '#base/text';

const LARGEST_CODE = 2 ** 31 - 1;
const MOST_A_PAGE = 5_000;
const LONGEST_WAIT_SECONDS = 30;

const term = text(255).min(1);
const position = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const epoch = text(64)
  .optional()
  .meta({ description: 'the epoch of `after`: 409 (40902) if the stream has another one' });

const filter = {
  status: several(z.enum(STATUS_VALUES)).meta({
    description: `one or several of ${STATUS_VALUES.join(', ')}`,
  }),
  status_code: several(z.coerce.number().int().min(0).max(LARGEST_CODE)).meta({
    description: 'one or several codes of the catalogue',
  }),
  event_id: several(term).meta({ description: 'one or several events' }),
  listing_id: several(term).meta({ description: 'one or several listings' }),
  client_id: several(term).meta({ description: 'one or several platform clients' }),
};

/** Query of GET /stream/v1/pings. */
export const PingStreamQuery = z.strictObject({
  after: position.default(0).meta({ description: '`next` of the page before; 0 starts with the first entry' }),
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(100),
  wait: z.coerce
    .number()
    .min(0)
    .max(LONGEST_WAIT_SECONDS)
    .default(0)
    .meta({ description: 'seconds to wait if there is no entry yet' }),
  epoch,
  ...filter,
});
export type PingStreamQuery = z.output<typeof PingStreamQuery>;

/** Query of GET /stream/v1/pings/live. */
export const LivePingsQuery = z.strictObject({
  after: position.optional().meta({ description: 'the position to continue after, if there is no Last-Event-ID' }),
  epoch,
  ...filter,
});
export type LivePingsQuery = z.output<typeof LivePingsQuery>;

/** The header Last-Event-ID: a position. */
export const LastEventId = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the id of an event of this stream')
  .transform(Number);

/** An example of an entry. */
export const STREAMED_PING = {
  id: 'png_01a2005c24a77d53b1ad2f24f0b05aba_1',
  position: 17,
  order_id: 'ord_01a2005c24a77d53b1ad2f24f0b05aba',
  ref_id: 'checkout-4711',
  sequence: 1,
  status: 'confirmed',
  status_message: 'Confirmed',
  status_code: 2000,
  occurred_at: '2026-11-22T10:15:00.000Z',
  transaction_id: 'web-4711',
} as const;

export const StreamedPing = z
  .object({
    id: z.string().meta({ description: 'the same in every notification of this change, on every channel' }),
    position: z.int().meta({ description: 'only grows; gaps are never filled later' }),
    order_id: z.string(),
    ref_id: z.string().nullable(),
    sequence: z.int().meta({ description: '1, 2, 3 … within the order' }),
    status: z.enum(STATUS_VALUES),
    status_message: z.string(),
    status_code: z.int(),
    occurred_at: z.iso.datetime(),
    transaction_id: z.string(),
  })
  .meta({ id: 'StreamedPing', examples: [STREAMED_PING] });

export const PingStreamPage = z
  .object({
    pings: z.array(StreamedPing),
    next: z.int().meta({
      description:
        'the `after` of the next page; it also skips entries that a filter left out. At the end it equals `after`',
    }),
    epoch: z.string().meta({
      description: 'changes after a restore of the database: positions may then occur twice',
    }),
  })
  .meta({ id: 'PingStreamPage' });

/** Where the stream ends now: what a live reader is told first. */
export const StreamEnd = z.object({
  epoch: z.string().meta({ description: 'the current epoch of the stream' }),
  last: z.int().meta({ description: 'the position of the newest entry; 0 if there is none' }),
});
export type StreamEnd = Readonly<z.infer<typeof StreamEnd>>;

/** The answer to a reader whose position is of another epoch, or beyond the end. */
export const EpochConflictBody = ErrorBody.extend({ meta: StreamEnd }).meta({ id: 'EpochConflict' });
export type EpochConflictBody = z.infer<typeof EpochConflictBody>;
