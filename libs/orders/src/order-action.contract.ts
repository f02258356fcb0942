import { z } from 'zod';

/** Something that can be done to an order now. */
export const OrderAction = z
  .object({
    action: z
      .enum([
        'approve',
        'accept',
        'deny',
        'accept_replacement',
        'reject_replacement',
        'change_status',
        'ship',
        'deliver',
        'offer_replacement',
        'transfer',
        'record_acceptance',
        'enter_barcodes',
        'record_pickup',
      ])
      .meta({
        description:
          '`approve`: POST …/approve; `accept`: POST …/accept; `deny`: POST …/deny; `change_status`: POST …/status with `status_code`; `ship` and `deliver`: POST …/fulfillment; ' +
          '`offer_replacement`: POST …/replacement with a listing; `accept_replacement` and `reject_replacement`: POST …/replacement/accept and …/reject; ' +
          '`transfer`: POST …/transfers; `record_acceptance`: POST …/transfers/{transfer_id}/state; `enter_barcodes`: POST …/barcodes; ' +
          '`record_pickup`: POST /delivery-reports with `picked_up`, or `parcel_picked_up` where the order is shipped',
      }),
    label: z.string().meta({ description: 'what a button says' }),
    main: z.boolean().meta({ description: 'one of the few that most orders need' }),
    status_code: z.int().exactOptional(),
    status_message: z.string().exactOptional().meta({ description: 'what the status then says' }),
    effects: z
      .array(z.enum(['ping', 'void', 'refund', 'restock', 'email']))
      .meta({ description: 'what follows: the platform is told, the payment returns, the tickets are for sale again' }),
    returned: z
      .number()
      .exactOptional()
      .meta({ description: 'US dollars that go back to the buyer, if only a part of the payment does' }),
    needs: z.array(
      z.enum(['reason', 'note', 'amount', 'carrier', 'tracking_number', 'url', 'source', 'seats', 'barcode', 'file']),
    ),
    carriers: z.array(z.string()).exactOptional().meta({ description: 'what `carrier` may be; only for `ship`' }),
    until: z.iso.datetime().exactOptional().meta({ description: 'the deadline, after which it is refused' }),
    allowed: z.boolean().meta({ description: 'whether the caller may do it' }),
    why_not: z.string().exactOptional(),
  })
  .meta({ id: 'OrderAction' });
export type OrderAction = z.infer<typeof OrderAction>;

export const OrderActionList = z.object({ actions: z.array(OrderAction) }).meta({ id: 'OrderActionList' });
export type OrderActionList = z.infer<typeof OrderActionList>;
