import type { DisputeKind, RequestedRefund } from '#domain/payment-events';
import type { DenialReason, FraudVerdict, Fulfillment, NamedRule, OrderEvent } from '#domain/order-events';

/** What an event means, in the words of the support desk. */
export function eventTitle(event: OrderEvent): string {
  switch (event.type) {
    case 'OrderImported':
      return 'Imported: what it shows from before is what the imported file says';
    case 'PurchaseReceived':
      return 'Purchase received';
    case 'FraudScreened':
      return screened(event.data);
    case 'PaymentPrepared':
      return 'Payment prepared at the provider';
    case 'PaymentCaptured':
      return `Payment of ${dollars(event.data.amount_cents)} captured`;
    case 'CaptureFailed':
      return `Payment not captured: ${event.data.reason}`;
    case 'RefundRequested':
      return refundRequested(event.data);
    case 'RefundApproved':
      return 'Refund approved';
    case 'RefundDeclined':
      return 'Refund declined';
    case 'RefundSent':
      return 'Refund sent to the provider';
    case 'RefundSucceeded':
      return 'Refund made';
    case 'RefundFailed':
      return `Refund failed: ${event.data.reason}`;
    case 'DisputeOpened':
      return `${DISPUTE[event.data.kind]}${event.data.inquiry ? ' (inquiry)' : ''}: ${dollars(event.data.amount_cents)}`;
    case 'DisputeEvidenceSent':
      return 'Evidence sent against the dispute';
    case 'DisputeClosed':
      return `Dispute ${event.data.state}`;
    case 'ProviderFeeCharged':
      return `Provider's fee of ${dollars(event.data.amount_cents)}`;
    case 'RemittanceMatched':
      return `Partner paid ${dollars(event.data.amount_cents)}`;
    case 'PaymentAuthorised':
      return `Payment of ${dollars(event.data.amount_cents)} authorised`;
    case 'PaymentDeclined':
      return 'Payment declined';
    case 'PaymentFailed':
      return 'Payment failed, no money was taken';
    case 'PaymentReleased':
      return event.data.how === 'voided' ? 'Payment voided' : 'Payment refunded';
    case 'PaymentPartlyReleased':
      return `Payment ${event.data.how} in part: ${dollars(event.data.amount_cents)} for cheaper tickets`;
    case 'PaymentNotConfirmed':
      return 'Nothing given back: the payment provider does not confirm the imported payment';
    case 'OrderPending':
      return 'Waits for the broker';
    case 'OrderHeldForReview':
      return 'Waits for a manual review';
    case 'OrderConfirmed':
      return `${withMessage('Confirmed', event.data.status.status_message)}${byPolicy(event.data.policy)}`;
    case 'TicketsShipped':
    case 'TicketsDelivered':
      return event.data.fulfillment ? sent(event.data.fulfillment) : event.data.status.status_message;
    case 'FulfillmentCorrected':
      return event.data.fulfillment.type === 'ship' ? 'Tracking number corrected' : 'Ticket link corrected';
    case 'OrderExceptionRaised':
      return `Problem: ${event.data.status.status_message}`;
    case 'ReplacementProposed':
      return `Other tickets set aside: ${event.data.quantity} of listing ${event.data.listing_id}`;
    case 'ReplacementLapsed':
      return 'Other tickets not accepted in time';
    case 'ReplacementOffered':
      return 'Other tickets offered';
    case 'ReplacementAccepted':
      return 'Other tickets accepted';
    case 'ReplacementRejected':
      return 'Other tickets refused, the order ends';
    case 'OrderRejected':
      return `Rejected: ${event.data.status.status_message}${deniedFor(event.data.reason)}${byPolicy(event.data.policy)}`;
    case 'TicketsAttached':
      return event.data.files.length === 1 ? 'Ticket file added' : `${event.data.files.length} ticket files added`;
    case 'TicketDownloaded':
      return downloadTitle(event.data.link);
    case 'TicketRemoved':
      return 'Ticket file removed';
    case 'TransferSent':
      return `${transfers(event.data)} sent by ${event.data.source}`;
    case 'TransferAccepted':
      return `${transfers(event.data)} accepted`;
    case 'TransferDeclined':
      return `${transfers(event.data)} declined`;
    case 'TransferExpired':
      return `${transfers(event.data)} expired`;
    case 'TransferProofAdded':
      return 'Proof of a transfer added';
    case 'BarcodesGiven':
      return `Barcodes given for seats ${event.data.barcodes.map(({ seat }) => seat).join(', ')}`;
    case 'BarcodeRefused':
      return event.data.earlier
        ? `An earlier barcode of seat ${event.data.seat} was refused at the door`
        : `Barcode of seat ${event.data.seat} refused at the door`;
    case 'BarcodeReplaced':
      return `Barcode of seat ${event.data.seat} replaced`;
    case 'LabelPrinted':
      return 'Label of the parcel made';
    case 'ParcelPickedUp':
      return 'Parcel picked up by the carrier';
    case 'ChoiceAsked':
      return 'Buyer asked whether to keep the tickets of the postponed show';
    case 'ChoiceMade':
      return event.data.answer === 'keep' ? 'Buyer keeps the tickets' : 'Buyer gives the tickets back';
    case 'BuyerCorrected':
      return "Buyer's data corrected";
    case 'PersonalDataErased':
      return 'Personal data erased';
    case 'SampleRemoved':
      return 'Removed with the sample data';
  }
}

function transfers({ transfers: { length } }: Readonly<{ transfers: readonly unknown[] }>): string {
  return length === 1 ? 'Transfer' : `Transfers of ${length} seats`;
}

/** @param link null for staff */
export function downloadTitle(link: string | null): string {
  return link === null ? 'Ticket opened by staff' : 'Ticket downloaded by its link';
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

function refundRequested({ amount_cents: cents, origin, needs_approval: waits }: RequestedRefund): string {
  if (origin === 'provider') return `Refund of ${dollars(cents)} made at the provider`;
  return `Refund of ${dollars(cents)} requested${waits ? ', waits for an approval' : ''}`;
}

const DISPUTE: Readonly<Record<DisputeKind, string>> = {
  card: 'Payment disputed',
  denied_entry: 'Entry denied',
  cancelled_sale: 'Sale disputed as cancelled',
};

function screened({ verdict, rules }: FraudVerdict): string {
  const names = rules.map(({ name }) => `“${name}”`).join(', ');
  if (verdict === 'rejected') return `Fraud rules reject the order: ${names}`;
  if (verdict === 'held') return `Fraud rules hold the order: ${names}`;
  return rules.length === 0 ? 'No fraud rule fired' : `Fraud rules fired, but do not hold the order: ${names}`;
}

function byPolicy(policy: NamedRule | undefined): string {
  return policy ? `, by the policy “${policy.name}”` : '';
}

function sent(fulfillment: Fulfillment): string {
  if (fulfillment.type === 'download') return 'Tickets sent electronically';
  const { carrier, tracking_number: number } = fulfillment.data;
  return `Tickets shipped with ${carrier}, ${number}`;
}

function withMessage(title: string, message: string): string {
  return message === title ? title : `${title}: ${message}`;
}

const DENIED_FOR: Readonly<Record<DenialReason, string>> = {
  not_available: '',
  denied: '',
  price_error: ' (the price was wrong)',
  duplicate: ' (a duplicate)',
  other: '',
  fraud: '',
  event_cancelled: '',
};

/** Details that the status does not contain. */
function deniedFor(reason: DenialReason | undefined): string {
  return reason === undefined ? '' : DENIED_FOR[reason];
}
