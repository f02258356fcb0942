import { isStatusEvent, type OrderEvent, type StatusEvent } from '#domain/order-events';
import { isProvided } from '#domain/payment-state';
import type { KnownOrder } from '#domain/order-state';
import type { RecordedEvent } from '#event-store/event';
import type { DisputeEvidence } from '#payments/provider-events';
import { amountOf } from './shared-traits.js';

/** `at` is ISO 8601. `actor` is who did it, as in the metadata of events. `personal` is only for those who may see it in clear. */
export type EvidenceLine = Readonly<{ at: string; says: string; actor?: string; personal?: string }>;

type Recorded = RecordedEvent<OrderEvent>;

/** The codes of tickets that have left: shipped, transferred, sent electronically. */
const DELIVERED = [2002, 2003, 2004];

/** None for what says nothing to a bank. Notes of colleagues never get in. */
export function eventLine(event: Recorded): EvidenceLine[] {
  const says = saidOf(event);
  return says === undefined ? [] : [{ at: event.recorded_at, says, actor: event.metadata.actor }];
}

function saidOf(event: Recorded): string | undefined {
  if (isStatusEvent(event)) return saidOfStatus(event);
  switch (event.type) {
    case 'PurchaseReceived': {
      const { product, total_cents, currency } = event.data;
      return `The buyer bought ${counted(product.quantity, 'ticket')} for ${amountOf(total_cents, currency)}.`;
    }
    case 'ReplacementProposed':
      return `The buyer was offered ${counted(event.data.quantity, 'other ticket')}, of listing ${event.data.listing_id}.`;
    case 'ReplacementLapsed':
      return 'The buyer did not answer the offer of other tickets in time.';
    case 'FulfillmentCorrected':
      return `The delivery was corrected.${deliveryOf(event.data.fulfillment)}`;
    case 'TicketsAttached':
      return `Added for the buyer: ${counted(event.data.files.length, 'ticket file')}.`;
    case 'TicketDownloaded':
      return event.data.link === null ? undefined : 'A ticket was downloaded by the link that the buyer was sent.';
    case 'TicketRemoved':
      return 'A ticket file was taken back.';
    case 'BuyerCorrected':
      return "The buyer's data was corrected.";
    case 'PersonalDataErased':
      return "The buyer's personal data was erased.";
    default:
      return saidOfPayment(event);
  }
}

function saidOfStatus({ data }: StatusEvent): string {
  const fulfillment = 'fulfillment' in data ? data.fulfillment : undefined;
  return `Status of the order: ${data.status.status_message}.${deliveryOf(fulfillment)}`;
}

/** The link itself opens the tickets, so it is not shown. */
function deliveryOf(fulfillment: KnownOrder['fulfillment'] | undefined): string {
  if (!fulfillment) return '';
  if (fulfillment.type === 'download') return ' The tickets were sent electronically.';
  return ` Shipped with ${fulfillment.data.carrier}, tracking number ${fulfillment.data.tracking_number}.`;
}

/** Each step with the provider's id, by which the bank finds it. */
function saidOfPayment(event: Recorded): string | undefined {
  switch (event.type) {
    case 'PaymentPrepared':
      return `The payment was begun at ${event.data.provider}: ${event.data.reference}.`;
    case 'PaymentAuthorised': {
      const { amount_cents, currency, provider, reference } = event.data;
      return `The payment of ${amountOf(amount_cents, currency)} was authorised by ${provider}: ${reference}.`;
    }
    case 'PaymentDeclined':
      return `A payment was declined by ${event.data.provider}.`;
    case 'PaymentCaptured': {
      const { amount_cents, currency, provider, reference } = event.data;
      return `The payment of ${amountOf(amount_cents, currency)} was captured by ${provider}: ${reference}.`;
    }
    case 'CaptureFailed':
      return `The payment could not be captured: ${event.data.reference}.`;
    case 'PaymentReleased':
    case 'PaymentPartlyReleased':
      return `What was held of the payment was ${event.data.how}: ${event.data.reference}.`;
    case 'RefundRequested': {
      const { amount_cents, currency, reason, refund_id: id } = event.data;
      return `A refund of ${amountOf(amount_cents, currency)} was asked for (${reason.replaceAll('_', ' ')}): ${id}.`;
    }
    case 'RefundDeclined':
      return `The refund ${event.data.refund_id} was declined.`;
    case 'RefundSucceeded':
      return `The refund ${event.data.refund_id} was made: ${event.data.reference}.`;
    case 'RefundFailed':
      return `The refund ${event.data.refund_id} failed.`;
    case 'DisputeOpened': {
      const { kind, reference, amount_cents, currency, inquiry } = event.data;
      const what = kind === 'card' ? `the payment${inquiry ? ' (inquiry)' : ''}` : kind.replaceAll('_', ' ');
      return `The buyer disputed ${what}, ${amountOf(amount_cents, currency)}${reference === null ? '' : `: ${reference}`}.`;
    }
    case 'DisputeEvidenceSent':
      return 'Evidence against the dispute was sent.';
    case 'DisputeClosed':
      return `The dispute was ${event.data.state}.`;
    default:
      return undefined;
  }
}

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** The day, ISO 8601. Null if the tickets have not left. */
export function deliveredOn(events: readonly Recorded[]): string | null {
  const delivery = events.find((event) => isStatusEvent(event) && DELIVERED.includes(event.data.status.status_code));
  return delivery?.recorded_at.slice(0, 10) ?? null;
}

/** The last one that was given. */
export function trackingIn(events: readonly Recorded[]): DisputeEvidence['tracking'] {
  const last = events.findLast(({ data }) => 'fulfillment' in data && data.fulfillment !== undefined);
  const fulfillment = last && 'fulfillment' in last.data ? last.data.fulfillment : undefined;
  if (fulfillment?.type !== 'ship') return null;
  return { carrier: fulfillment.data.carrier, number: fulfillment.data.tracking_number };
}

/** The provider's id of the payment, and what is known of the card. Null for an order without one. */
export function paymentLine({ payment, purchase }: KnownOrder): string | null {
  if (!isProvided(payment)) return null;
  const {
    brand = null,
    last_four: last = null,
    expiry_month: month = null,
    expiry_year: year = null,
  } = purchase.payment ?? {};
  const card = last === null ? '' : `, ${brand ?? 'card'} ending in ${last}`;
  const expiry = month === null || year === null ? '' : `, valid until ${String(month).padStart(2, '0')}/${year}`;
  return `${payment.provider} ${payment.reference}${card}${expiry}`;
}
