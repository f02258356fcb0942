import { z } from 'zod';
import { PROOF_TYPES } from '#domain/delivery-events';
import { TRANSFER_STATES } from '#domain/delivery-state';
import { DELIVERY_TYPES } from '#domain/handover';
import { ACTORS, NEXT_ACTIONS } from '#domain/next-action';

const when = z.iso.datetime().nullable();

export const TransferProof = z
  .object({
    id: z.string(),
    name: z.string().nullable().meta({ description: "null after the buyer's data was erased" }),
    type: z.enum(PROOF_TYPES),
    size: z.int().meta({ description: 'bytes' }),
    sha256: z.string().meta({ description: 'hex' }),
    at: z.iso.datetime(),
  })
  .meta({ id: 'TransferProof' });

/** A seat that was sent to the buyer's account. */
export const Transfer = z
  .object({
    id: z.string(),
    seat: z.string(),
    source: z.string().meta({ description: 'one of the transfer sources' }),
    confirmation_number: z.string().nullable(),
    claim_url: z
      .string()
      .nullable()
      .meta({ description: 'where the buyer takes the tickets over; masked as the buyer is' }),
    holder: z
      .object({ first_name: z.string(), last_name: z.string(), email: z.string() })
      .nullable()
      .meta({ description: 'masked as the buyer is' }),
    state: z.enum(TRANSFER_STATES),
    sent_at: z.iso.datetime(),
    accepted_at: when,
    declined_at: when,
    expired_at: when,
    sent_by: z.string(),
    proof: TransferProof.nullable().meta({ description: 'the last one' }),
  })
  .meta({ id: 'Transfer' });
export type Transfer = z.infer<typeof Transfer>;

const OrderSeat = z
  .object({
    seat: z.string(),
    barcode: z.enum(['none', 'given', 'refused']),
    transfer: Transfer.nullable().meta({ description: 'the last one' }),
    file: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'OrderSeat' });

/** How far the tickets of an order are. */
export const OrderDelivery = z
  .object({
    type: z.enum(DELIVERY_TYPES).meta({ description: '`transfer` also for a download whose tickets were transferred' }),
    next_action: z.enum(NEXT_ACTIONS),
    acts: z.enum(ACTORS).meta({ description: 'whose turn it is' }),
    due_at: when.meta({ description: 'null if nothing limits it' }),
    seats: z.array(OrderSeat).exactOptional().meta({ description: 'not in lists' }),
  })
  .meta({ id: 'OrderDelivery' });
export type OrderDelivery = z.infer<typeof OrderDelivery>;
