import { z } from 'zod';
import { TICKET_FILE_TYPES } from '#domain/order-events';
import { DELIVERY_REPORTS, TIMED_REPORTS } from '#domain/delivery-report';
import { printedText, text } from '#base/text';
import { PastInstant } from './transfer.contract.js';
import { LONGEST_BARCODE, LONGEST_SEAT } from './ticket.limits.js';
import { TrackingNumber } from '#web/tracking-number.contract';

/** A month. */
const LONGEST_LINK_MIN = 43_200;

/** What scanners print and read: visible ASCII, with blanks between groups. */
export const TicketBarcode = z
  .string()
  .trim()
  .regex(new RegExp(`^[\\x20-\\x7e]{1,${LONGEST_BARCODE}}$`), `must be 1 to ${LONGEST_BARCODE} ASCII characters`);

export const TicketSeat = printedText(LONGEST_SEAT);

const common = {
  id: z.string(),
  name: z.string().nullable().meta({ description: "the name of the file; null after the buyer's data was erased" }),
  type: z.enum(TICKET_FILE_TYPES),
  size: z.int().meta({ description: 'bytes' }),
  sha256: z.string().meta({ description: 'hex' }),
  barcode: z.string().nullable().meta({ description: 'with `orders:read` alone only its last four characters' }),
  seat: z.string().nullable(),
};

const Ticket = z.object(common).meta({ id: 'Ticket' });

/** Answer to POST /backoffice/v1/orders/{id}/tickets. */
export const TicketList = z.object({ tickets: z.array(Ticket) }).meta({ id: 'TicketList' });
export type TicketList = z.infer<typeof TicketList>;

export const OrderTicket = z
  .object({
    ...common,
    attached_at: z.iso.datetime(),
    attached_by: z.string(),
    attached_by_name: z.string().nullable(),
    withdrawn_at: z.iso.datetime().nullable().meta({
      description: 'since when links no longer open it: it was removed, replaced or erased, or its order was rejected',
    }),
  })
  .meta({ id: 'OrderTicket' });
export type OrderTicket = z.infer<typeof OrderTicket>;

/** Answer to GET /backoffice/v1/orders/{id}/tickets. */
export const OrderTicketList = z.object({ tickets: z.array(OrderTicket) }).meta({ id: 'OrderTicketList' });
export type OrderTicketList = z.infer<typeof OrderTicketList>;

/** Body of POST /backoffice/v1/orders/{id}/tickets/{ticket_id}/link. */
export const NewTicketLink = z
  .strictObject({ expires_in_minutes: z.int().min(1).max(LONGEST_LINK_MIN) })
  .meta({ id: 'NewTicketLink', examples: [{ expires_in_minutes: 1_440 }] });
export type NewTicketLink = z.infer<typeof NewTicketLink>;

export const TicketLink = z
  .object({
    url: z.string().meta({ description: 'opens this file without a credential; send it to nobody but the buyer' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'TicketLink' });
export type TicketLink = z.infer<typeof TicketLink>;

const part = z.string().max(100).default('');

/** Query of GET /tickets/{ticket_id}, as POST …/link made it. */
export const TicketLinkQuery = z.object({
  expires: part,
  link: part,
  by: z.string().max(300).optional(),
  signature: part,
});
export type TicketLinkQuery = z.output<typeof TicketLinkQuery>;

const kindOfReport = z.enum([...DELIVERY_REPORTS, ...TIMED_REPORTS, 'bounced']);
type ReportKind = z.infer<typeof kindOfReport>;

const BY_PARCEL: readonly ReportKind[] = ['parcel_delivered', 'parcel_failed'];

type Kinded = Readonly<{ kind?: ReportKind | undefined; report?: ReportKind | undefined }>;

/** What is reported, also by its older name. */
export function kindOf({ kind, report }: Kinded): ReportKind {
  return kind ?? report ?? 'bounced';
}

/** Undefined for the kinds whose time does not count. */
export function timedKind(kind: ReportKind): (typeof TIMED_REPORTS)[number] | undefined {
  return TIMED_REPORTS.find((known) => known === kind);
}

/** Body of POST /backoffice/v1/delivery-reports. */
export const NewDeliveryReport = z
  .strictObject({
    order_id: text(255).min(1).optional(),
    tracking_number: TrackingNumber.optional(),
    message_id: text(255)
      .regex(/^<?mai_\w{1,100}(?:@[\w.-]{1,200})?>?$/, 'must be the Message-ID of an e-mail of ours')
      .optional()
      .meta({ description: 'of an e-mail that came back, with the report `bounced`' }),
    kind: kindOfReport.optional(),
    report: kindOfReport.optional().meta({ description: 'the older name of `kind`' }),
    seat: text(255)
      .min(1)
      .optional()
      .meta({ description: 'of the transfer or the barcode; all open transfers without it' }),
    confirmation_number: text(100).min(1).optional(),
    at: PastInstant.optional(),
    note: text(2_000).nullish().meta({ description: 'what the carrier or the mail server said, for colleagues' }),
  })
  .refine(({ order_id: id, tracking_number: number, message_id: mail }) => (id ?? number ?? mail) !== undefined, {
    path: ['order_id'],
    message: 'order_id, tracking_number or message_id is needed',
  })
  .refine(({ kind, report }) => (kind === undefined) !== (report === undefined), {
    path: ['kind'],
    message: 'is needed, without its older name report',
  })
  .refine((body) => kindOf(body) !== 'barcode_refused' || body.seat !== undefined, {
    path: ['seat'],
    message: 'is needed for barcode_refused',
  })
  .refine((body) => body.order_id !== undefined || timedKind(kindOf(body)) === undefined, {
    path: ['order_id'],
    message: 'is needed for this kind',
  })
  .refine((body) => (body.message_id !== undefined) === (kindOf(body) === 'bounced'), {
    path: ['message_id'],
    message: 'goes with the kind bounced, and only with it',
  })
  .refine((body) => body.tracking_number === undefined || BY_PARCEL.includes(kindOf(body)), {
    path: ['tracking_number'],
    message: 'must be left out of a report about anything but a parcel on its way',
  })
  .meta({
    id: 'NewDeliveryReport',
    example: { tracking_number: '1Z999AA10123456784', kind: 'parcel_delivered' },
  });
export type NewDeliveryReport = z.output<typeof NewDeliveryReport>;

export const DeliveryReportOutcome = z
  .object({
    ignored: z.boolean().meta({ description: 'true where nothing moved' }),
    orders: z.array(z.object({ order_id: z.string(), moved: z.boolean(), status_code: z.int().nullable() })).meta({
      description:
        'the orders that the report is about; `moved` is false where it changes nothing, e.g. because it came late',
    }),
  })
  .meta({ id: 'DeliveryReportOutcome' });
export type DeliveryReportOutcome = z.infer<typeof DeliveryReportOutcome>;
