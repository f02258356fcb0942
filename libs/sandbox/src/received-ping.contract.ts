import { z } from 'zod';
import { DELIVERY_TYPES } from '#listings/delivery.contract';
import { Purchase } from '#orders/purchase.contract';
import { text } from '#base/text';

/** The path and query of a purchase ping. */
export const PingAddress = z.object({
  order_id: text(255).min(1),
  ref_id: text(255).optional().meta({ description: 'the platform’s reference, if the purchase has one' }),
});

export type PingAddress = z.infer<typeof PingAddress>;

/** Answer to a purchase ping. */
export const PingAnswer = z.object({ order_id: z.string() }).meta({ id: 'PingAnswer' });
export type PingAnswer = z.infer<typeof PingAnswer>;

/** The part of a purchase that the sandbox stores. Its page is public, so there is nothing of the buyer and no download link. */
export const ReadPurchase = Purchase.pick({ id: true, status: true, product: true, ref_id: true })
  .extend({
    delivery_method: z.object({ type: z.enum(DELIVERY_TYPES) }),
    fulfillment: z.object({ type: z.enum(['ship', 'download']) }).nullable(),
    status_history: Purchase.shape.status_history.exactOptional(),
  })
  .meta({ id: 'ReadPurchase' });
export type ReadPurchase = z.infer<typeof ReadPurchase>;

const instant = z.iso.datetime();

export const ReceivedPing = z
  .object({
    id: z.int().meta({ description: 'grows with each ping received' }),
    received_at: instant,
    order_id: z.string(),
    ref_id: z.string().nullable(),
    client_id: z.string().nullable().meta({ description: 'who signed it; null if nobody did' }),
    transaction_id: z.string().nullable(),
    signature_valid: z.boolean(),
    announcement: z.int().nullable().meta({
      description:
        'the number of the announced status within its order, found by the transaction id; a ping that is sent again keeps its number',
    }),
    state: z.enum(['refused', 'waiting', 'read', 'given_up']).meta({
      description: 'refused: the signature was wrong; otherwise whether the purchase has been read back',
    }),
    reads: z.int().meta({ description: 'how often the purchase was read' }),
    next_read_at: instant.nullable(),
    read_at: instant.nullable(),
    read_error: z.string().nullable().meta({ description: 'why the last read failed' }),
    shows_announced: z.boolean().nullable().meta({
      description: 'whether the history that was read has an entry for each ping so far',
    }),
    purchase: ReadPurchase.nullable(),
  })
  .meta({ id: 'ReceivedPing' });
export type ReceivedPing = z.infer<typeof ReceivedPing>;

/** Query of GET /sandbox/pings and GET /sandbox. */
export const ReceivedPingQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: '`next_cursor` of the page before' }),
});
export type ReceivedPingQuery = z.output<typeof ReceivedPingQuery>;

export const ReceivedPingList = z
  .object({
    pings: z.array(ReceivedPing).meta({ description: 'newest first' }),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
  })
  .meta({ id: 'ReceivedPingList' });
export type ReceivedPingList = z.infer<typeof ReceivedPingList>;
