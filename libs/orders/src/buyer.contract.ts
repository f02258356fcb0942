import { z } from 'zod';
import { MOST_ORDERS_A_PAGE } from './order.limits.js';
import { OrderSummary } from './order.contract.js';

/** Query of GET /backoffice/v1/buyers/{id}/orders. */
export const BuyerOrdersQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_ORDERS_A_PAGE).default(50),
  cursor: z.string().max(1_024).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type BuyerOrdersQuery = z.output<typeof BuyerOrdersQuery>;

/** A buyer, by the id of any of the buyer's orders. Amounts in US dollars. */
export const Buyer = z
  .object({
    id: z.string().meta({ description: 'the order that names the buyer' }),
    contact: OrderSummary.shape.contact,
    personal_data: OrderSummary.shape.personal_data,
    personal_data_masked: OrderSummary.shape.personal_data_masked,
    known_by: z.enum(['email', 'phone', 'order']).meta({
      description: 'what the orders have in common; `order`: nothing is known of the buyer but this order',
    }),
    orders: z.int().meta({ description: 'those that the caller sees, at most the newest 1,000, as in all numbers' }),
    rejected: z.int(),
    tickets: z.int().meta({ description: 'without those of rejected orders' }),
    total: z.number().meta({ description: 'without rejected orders' }),
    refunded: z.number(),
    disputes: z.int(),
    open_disputes: z.int(),
    first_order_at: z.iso.datetime(),
    last_order_at: z.iso.datetime(),
  })
  .meta({ id: 'Buyer' });
export type Buyer = z.infer<typeof Buyer>;

const fields = z.record(z.string(), z.unknown());

/** All that is kept of a buyer, in clear. */
export const BuyerData = z
  .object({
    orders: z.array(
      z.object({
        id: z.string(),
        placed_at: z.iso.datetime(),
        product: OrderSummary.shape.product,
        total: z.number(),
        buyer: fields.nullable(),
        delivery_method: z.object({ type: z.string(), data: fields }),
        billing: fields.nullable(),
        card_last4: z.string().nullable(),
        market_specific_fields: fields.nullable(),
        notes: z.array(z.object({ at: z.iso.datetime(), author: z.string(), text: z.string() })),
      }),
    ),
  })
  .meta({
    id: 'BuyerData',
    description: 'of at most the newest 1,000 orders; those whose data was erased are not among them',
  });
export type BuyerData = z.infer<typeof BuyerData>;
