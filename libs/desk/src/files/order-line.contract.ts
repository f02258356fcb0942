import { CHOICE_ANSWERS } from '#domain/choice-events';
import { PROOF_TYPES } from '#domain/delivery-events';
import { z } from 'zod';
import { ORDER_EVENT_TYPES, type OrderEvent } from '#domain/order-events';
import { DELIVERY_FORMS } from '#domain/pricing';
import { DISPUTE_KINDS, REFUND_REASONS } from '#domain/payment-events';
import { STATUS_VALUES } from '#domain/status';
import { MarketFields } from '#web/market-fields.contract';
import { isJsonObject, isStorableJson, text } from '#base/text';
import { TrackingNumber } from '#web/tracking-number.contract';

/** The largest line of an import. An order with a thousand events has half a megabyte. */
export const LONGEST_LINE_BYTES = 4 * 1024 * 1024;

const MAX_DEPTH = 8;
const MAX_INT = 2 ** 31 - 1;
const LONGEST_TEXT = 16_384;

const id = text(255).min(1);
const anyText = text(LONGEST_TEXT);
const count = z.int().min(0).max(MAX_INT);
const cents = z.int().min(0);
// As the log has it, so that an export after the import is the same.
const time = z.iso
  .datetime({ precision: 3 })
  .refine((value) => !Number.isNaN(Date.parse(value)), 'must be a time in UTC with milliseconds');

// That it can be stored was checked with the event around it.
const people = z.unknown().refine(isJsonObject, 'must be an object');

/** The buyer's data in clear, or as an erasure has left it: sealed for good. */
const Personal = z.union([
  z.string(),
  z.object({
    user: people.nullable(),
    delivery: people,
    billing: people.nullable(),
    market_specific_fields: MarketFields.optional(),
  }),
]);

/** In clear, or as it was stored if it does not open. */
const sealedText = z.union([z.string(), z.object({ text: anyText })]).optional();
const noted = { note: anyText.optional(), sealed_note: sealedText };
const Fulfillment = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ship'), data: z.object({ carrier: id, tracking_number: TrackingNumber }) }),
  z.object({ type: z.literal('download'), data: z.object({ url: anyText }) }),
]);
const StatusChanged = z.looseObject({
  ...noted,
  status: z.strictObject({ status: z.enum(STATUS_VALUES), status_message: id, status_code: count }),
  fulfillment: Fulfillment.optional(),
});
const Answered = z.looseObject({ transfers: z.array(id), at: time });
const barcode = { seat: id, digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 digits of hex') };
const product = {
  event_id: id,
  listing_id: id,
  quantity: count.min(1),
  seats: z.array(id).optional(),
  external_id: anyText.optional(),
  speculative: z.literal(true).optional(),
};
const delivery_form = z.enum(DELIVERY_FORMS).optional();
const NotTaken = z.looseObject({ provider: id, reason: anyText });
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217');
const money = { amount_cents: cents, currency };
const ofPayment = { provider: id, reference: anyText };
const Parts = z.strictObject({ price_cents: cents, fees_cents: cents, delivery_cents: cents, tax_cents: cents });
const refund_id = id;
const dispute_id = id;
const OfRefund = z.looseObject({ ...noted, refund_id });
const SentRefund = z.looseObject({ refund_id, reference: anyText });

const PurchaseReceived = z.looseObject({
  client_id: id,
  variant: z.enum(['payment', 'wholesale']),
  product: z.strictObject(product),
  listing_version: count,
  total_cents: cents,
  parts: Parts.optional(),
  currency: currency.optional(),
  capture: z.enum(['confirmation', 'delivery']).optional(),
  delivery_method: id,
  delivery_form,
  ref_id: anyText.nullable(),
  duplicate_key: anyText.nullable(),
  trusted: z.boolean(),
  hold_for_review: z.boolean(),
  confirmation: z.enum(['automatic', 'manual']),
  confirm_within_minutes: count.nullable(),
  payment: z
    .strictObject({
      type: z.enum(['creditcard', 'providera_token', 'providerb_token']),
      brand: id.nullable(),
      last_four: z
        .string()
        .regex(/^\d{1,4}$/)
        .nullable(),
      expiry_month: count.nullable(),
      expiry_year: count.nullable(),
    })
    .nullable(),
  market_specific_fields: MarketFields.nullable(),
  seller: id.optional(),
  personal: Personal.nullable(),
});

/** What the read models take from the data of events. Further fields, and types without an entry here, are passed on. */
const DATA: Partial<Readonly<Record<OrderEvent['type'], z.ZodType>>> = {
  PurchaseReceived,
  PaymentPrepared: z.looseObject({ ...ofPayment, ...money, key: anyText.nullable() }),
  PaymentAuthorised: z.looseObject({
    ...ofPayment,
    amount_cents: cents,
    currency: currency.optional(),
    capture_before: time.optional(),
  }),
  PaymentDeclined: NotTaken,
  PaymentFailed: NotTaken,
  PaymentCaptured: z.looseObject({ ...ofPayment, ...money }),
  CaptureFailed: z.looseObject({ ...ofPayment, reason: anyText, gone: z.boolean() }),
  PaymentReleased: z.looseObject({ ...ofPayment, how: z.enum(['voided', 'refunded']) }),
  PaymentNotConfirmed: z.looseObject(ofPayment),
  PaymentPartlyReleased: z.looseObject({
    ...ofPayment,
    how: z.enum(['voided', 'refunded']),
    amount_cents: cents,
    part_reference: anyText,
  }),
  RefundRequested: z.looseObject({
    ...noted,
    ...money,
    amount_cents: cents.min(1),
    refund_id,
    quantity: count.min(1).nullable(),
    reason: z.enum(REFUND_REASONS),
    origin: z.enum(['desk', 'order', 'provider']),
    requested_by: id,
    needs_approval: z.boolean(),
    lines: z.array(z.strictObject({ account: id, amount_cents: z.int() })),
    reference: anyText.optional(),
  }),
  RefundApproved: OfRefund.extend({ approved_by: id }),
  RefundDeclined: OfRefund.extend({ declined_by: id }),
  RefundSent: SentRefund,
  RefundSucceeded: SentRefund,
  RefundFailed: z.looseObject({ refund_id, reference: anyText.nullable(), reason: anyText }),
  DisputeOpened: z.looseObject({
    ...noted,
    ...money,
    dispute_id,
    reference: anyText.nullable(),
    kind: z.enum(DISPUTE_KINDS),
    inquiry: z.boolean(),
    reason: anyText,
    due_at: time.nullable(),
  }),
  DisputeEvidenceSent: z.looseObject({ ...noted, dispute_id }),
  DisputeClosed: z.looseObject({ ...noted, dispute_id, state: z.enum(['won', 'lost', 'withdrawn']) }),
  ProviderFeeCharged: z.looseObject({
    ...ofPayment,
    amount_cents: z.int(),
    currency,
    for: z.enum(['charge', 'refund', 'dispute']),
  }),
  RemittanceMatched: z.looseObject({
    client_id: id,
    reference: anyText,
    paid_on: z.iso.date(),
    amount_cents: z.int(),
    currency,
  }),
  OrderPending: StatusChanged,
  OrderHeldForReview: StatusChanged,
  OrderConfirmed: StatusChanged,
  TicketsShipped: StatusChanged,
  TicketsDelivered: StatusChanged,
  ReplacementOffered: StatusChanged,
  ReplacementAccepted: StatusChanged,
  ReplacementRejected: StatusChanged,
  OrderRejected: StatusChanged,
  OrderExceptionRaised: StatusChanged,
  ReplacementProposed: z.looseObject({
    ...noted,
    ...product,
    listing_version: count,
    seller: id.optional(),
    delivery_form,
    terms: anyText.nullable(),
    sealed_terms: sealedText,
    expires_at: time,
    difference_cents: z.int().optional(),
    parts: Parts.optional(),
  }),
  FulfillmentCorrected: z.looseObject({ ...noted, fulfillment: Fulfillment }),
  BuyerCorrected: z.looseObject({ personal: Personal }),
  TicketsAttached: z.looseObject({ files: z.array(z.looseObject({ id, seat: id.nullish() })) }),
  TicketDownloaded: z.looseObject({ ticket_id: id, link: id.nullable() }),
  TicketRemoved: z.looseObject({ ticket_id: id }),
  TransferSent: z.looseObject({
    transfers: z.array(z.looseObject({ id, seat: id })).min(1),
    source: id,
    confirmation_number: anyText.nullable(),
    accept_by: time,
    sealed_recipient: sealedText,
  }),
  TransferAccepted: Answered,
  TransferDeclined: Answered,
  TransferExpired: Answered,
  TransferProofAdded: z.looseObject({
    transfer_id: id,
    proof: z.looseObject({ id, type: z.enum(PROOF_TYPES), size: count, sha256: id }),
    sealed_name: sealedText,
  }),
  BarcodesGiven: z.looseObject({ barcodes: z.array(z.looseObject(barcode)) }),
  BarcodeRefused: z.looseObject({ seat: id, at: time, earlier: z.literal(true).optional() }),
  BarcodeReplaced: z.looseObject({ ...noted, ...barcode }),
  LabelPrinted: z.looseObject({ label_id: id }),
  ParcelPickedUp: z.looseObject({ at: time }),
  ChoiceAsked: z.looseObject({ job: id, until: time }),
  ChoiceMade: z.looseObject({ job: id, answer: z.enum(CHOICE_ANSWERS) }),
  SampleRemoved: z.looseObject({}),
};

const LineEvent = z
  .object({
    event_id: z.string().regex(/^evt_[0-9a-f]{32}$/, 'must be the id of an event'),
    type: z.enum(ORDER_EVENT_TYPES),
    recorded_at: time,
    metadata: z.looseObject({ transaction_id: anyText, actor: id }),
    data: z.unknown(),
  })
  .check((context) => {
    const { type, data } = context.value;
    if (!isJsonObject(data) || !isStorableJson(data, MAX_DEPTH + 2)) {
      context.issues.push({ code: 'custom', message: 'must be an object', path: ['data'], input: data });
      return;
    }
    const { error } = DATA[type]?.safeParse(data) ?? {};
    const [issue] = error?.issues ?? [];
    if (issue)
      context.issues.push({ code: 'custom', message: issue.message, path: ['data', ...issue.path], input: data });
  });
export type LineEvent = z.output<typeof LineEvent>;

/** A line of an import: what `export_orders` writes as NDJSON. The order follows from its events; what else stands there is not read. */
export const OrderLine = z.object({
  id: z.string().regex(/^ord_[0-9a-f]{32}$/, 'must be the id of an order'),
  personal_data_masked: z.boolean().optional(),
  tags: z.array(text(50).min(1)).max(50).optional(),
  events: z.array(LineEvent).min(1),
});
export type OrderLine = z.output<typeof OrderLine>;
