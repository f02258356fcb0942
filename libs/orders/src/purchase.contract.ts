import { z } from 'zod';
import { STATUS_VALUES } from '#domain/status';
import { MarketFields } from '#web/market-fields.contract';
import { DELIVERY_TYPES } from '#listings/delivery.contract';

/** A status, with these three keys and no others. */
export const Status = z
  .object({
    status: z.enum(STATUS_VALUES),
    status_message: z.string(),
    status_code: z.int().meta({ description: 'unique for the pair of status and status_message' }),
  })
  .meta({ id: 'Status' });

export const StatusHistoryEntry = Status.extend({
  created_at: z.iso.datetime().meta({ description: 'UTC' }),
}).meta({ id: 'StatusHistoryEntry' });

export const Fulfillment = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('ship'), data: z.object({ carrier: z.string(), tracking_number: z.string() }) }),
    z.object({ type: z.literal('download'), data: z.object({ url: z.string() }) }),
  ])
  .meta({ id: 'Fulfillment' });

/** Answer to GET /purchases/{id}, and to the POST that made it. */
export const Purchase = z
  .object({
    id: z.string(),
    status: Status,
    product: z.object({ event_id: z.string(), listing_id: z.string(), quantity: z.int().min(1) }),
    delivery_method: z.object({
      type: z.enum(DELIVERY_TYPES),
      data: z.record(z.string(), z.unknown()).meta({ description: 'as submitted; empty in the wholesale variant' }),
    }),
    fulfillment: Fulfillment.nullable().meta({ description: 'null until there is one' }),
    market_specific_fields: MarketFields.exactOptional(),
    ref_id: z.string().exactOptional(),
    status_history: z.array(StatusHistoryEntry).meta({ description: 'oldest first; the last one is `status`' }),
  })
  .meta({
    id: 'Purchase',
    examples: [
      {
        id: 'ord_01a2005c24a77d53b1ad2f24f0b05aba',
        status: { status: 'confirmed', status_message: 'Tickets fulfilled - email', status_code: 2004 },
        product: { event_id: '1001', listing_id: 'demo-any-1', quantity: 2 },
        delivery_method: { type: 'download', data: { email: 'ada@example.com' } },
        fulfillment: { type: 'download', data: { url: 'https://tickets.example/4711' } },
        ref_id: 'checkout-4711',
        status_history: [
          {
            status: 'confirmed',
            status_message: 'Confirmed',
            status_code: 2000,
            created_at: '2026-11-22T10:15:00.000Z',
          },
          {
            status: 'confirmed',
            status_message: 'Tickets fulfilled - email',
            status_code: 2004,
            created_at: '2026-11-22T10:42:00.000Z',
          },
        ],
      },
    ],
  });
export type Purchase = z.infer<typeof Purchase>;
