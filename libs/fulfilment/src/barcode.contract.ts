import { z } from 'zod';
import { text, visibleText } from '#base/text';
import { OrderDelivery } from '#orders/delivery.contract';
import { TicketBarcode } from './ticket.contract.js';
import { LONGEST_BARCODE_REASON } from './ticket.limits.js';

const LONGEST_SEAT_NAME = 255;
const MOST_SEATS = 100;

const SeatName = text(LONGEST_SEAT_NAME);

/** Body of POST /backoffice/v1/orders/{id}/barcodes. */
export const NewBarcodes = z
  .strictObject({
    barcodes: z
      .array(z.strictObject({ seat: SeatName, barcode: TicketBarcode }))
      .min(1)
      .max(MOST_SEATS),
  })
  .meta({ id: 'NewBarcodes', examples: [{ barcodes: [{ seat: '5', barcode: '4006381333931' }] }] });
export type NewBarcodes = z.infer<typeof NewBarcodes>;

/** Body of PUT /backoffice/v1/orders/{id}/barcodes/{seat}. */
export const OtherBarcode = z
  .strictObject({ barcode: TicketBarcode, reason: visibleText(LONGEST_BARCODE_REASON) })
  .meta({ id: 'OtherBarcode', examples: [{ barcode: '4006381333948', reason: 'Refused at gate 3' }] });
export type OtherBarcode = z.infer<typeof OtherBarcode>;

/** Answer to both. */
export const BarcodesGiven = z.object({ delivery: OrderDelivery }).meta({ id: 'BarcodesGiven' });
export type BarcodesGiven = z.infer<typeof BarcodesGiven>;

const SeatBarcode = z.object({
  seat: z.string(),
  barcode: z.string().nullable().meta({
    description: 'with `orders:read` alone only its last four characters; null after the buyer’s data was erased',
  }),
  state: z.enum(['given', 'refused']),
  refused_at: z.iso.datetime().nullable(),
  reason: z.string().nullable().meta({ description: 'why the seat got another barcode' }),
});

/** Answer to GET /backoffice/v1/orders/{id}/barcodes. */
export const BarcodeList = z.object({ barcodes: z.array(SeatBarcode) }).meta({ id: 'BarcodeList' });
export type BarcodeList = z.infer<typeof BarcodeList>;

/** Body of POST /backoffice/v1/orders/{id}/tickets/made. */
export const MadeTicketsRequest = z
  .strictObject({
    kind: z.enum(['pkpass', 'pdf']),
    seats: z.array(SeatName).min(1).max(MOST_SEATS).optional().meta({ description: 'all if left out' }),
  })
  .meta({ id: 'MadeTicketsRequest', examples: [{ kind: 'pdf' }] });
export type MadeTicketsRequest = z.infer<typeof MadeTicketsRequest>;

/** Answer to POST /backoffice/v1/orders/{id}/label. */
export const ParcelLabel = z
  .object({ id: z.string(), url: z.string().meta({ description: 'the PDF, for whoever may act on the order' }) })
  .meta({ id: 'ParcelLabel' });
export type ParcelLabel = z.infer<typeof ParcelLabel>;

/** Query of GET /tickets/orders/{order_id}. */
export const OrderPageQuery = z.object({ signature: z.string().max(100).default('') });
export type OrderPageQuery = z.output<typeof OrderPageQuery>;
