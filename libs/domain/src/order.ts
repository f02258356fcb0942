import { DomainError, domainError } from './domain-error.js';
import { answerPurchase, type BrokerAnswer } from './broker-answer.js';
import { cancelEvent, type EventCancellation } from './event-cancellation.js';
import { fraudRejection, openingEvents, openingStatus } from './opening.js';
import type { FraudVerdict, Fulfillment, OrderEvent, ReceivedPurchase } from './order-events.js';
import type { KnownOrder, Order } from './order-state.js';
import { decideReplacement, type ReplacementCommand } from './replacement.js';
import { approveReview, type ReviewApproval } from './review.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';
import { decideTicketFiles, type TicketFileCommand } from './ticket-files.js';
import { decideDeliveryReport, type DeliveryReport } from './delivery-report.js';
import { changeStatus, isStale, staleVersion, statusEvent } from './status-change.js';

/** `absent`: the provider knows no payment, so no money moved. `unreachable`: no answer. */
export type PaymentOutcome =
  | { is: 'authorised'; provider: string; reference: string; amount_cents: number }
  | { is: 'declined' | 'absent' | 'unreachable'; provider: string; reason: string };

export type OrderCommand =
  /** `screening` is missing if nobody screened the purchase. */
  | { type: 'ReceivePurchase'; purchase: ReceivedPurchase; screening?: FraudVerdict }
  /** `platformWaits`: the platform's request is still open, so its answer reports the outcome; otherwise a status must. */
  | { type: 'RecordPaymentOutcome'; outcome: PaymentOutcome; platformWaits: boolean }
  | { type: 'ChangeStatus'; statusCode: number; note?: string; expectedVersion?: number }
  | { type: 'Fulfil'; fulfillment: Fulfillment; note?: string; expectedVersion?: number }
  | BrokerAnswer
  | ReviewApproval
  | EventCancellation
  | ReplacementCommand
  | TicketFileCommand
  | DeliveryReport
  | { type: 'ExpireConfirmation'; expectedVersion: number }
  | { type: 'RecordPaymentRelease'; how: 'voided' | 'refunded' }
  /** `position`: that of the acceptance whose difference was given back. */
  | { type: 'RecordPartRelease'; position: number; how: 'voided' | 'refunded'; partReference: string }
  /** The provider does not confirm what an import said of the payment. */
  | { type: 'RecordUnconfirmedPayment' }
  /** `personal` is sealed, and made from the sealed data `replaces`. */
  | { type: 'CorrectBuyer'; personal: string; replaces: string; expectedVersion?: number }
  | { type: 'ErasePersonalData'; expectedVersion?: number };

export type Decision = readonly OrderEvent[] | DomainError;

// The return types are inferred, so that a test can compare the events that are decided with all events (order.spec.ts).
export function decide(command: OrderCommand, order: Order, catalogue: StatusCatalogue) {
  if (command.type === 'ReceivePurchase') {
    if (order.known) return domainError('ORDER_EXISTS', 'An order with this id already exists.');
    const { purchase, screening } = command;
    const received = { type: 'PurchaseReceived', data: purchase } as const;
    const screened = screening ? [{ type: 'FraudScreened', data: screening } as const] : [];
    const rejection = fraudRejection(purchase, screening, catalogue);
    const opening = rejection ?? (purchase.payment ? [] : openingEvents(purchase, catalogue));
    return [received, ...screened, ...opening];
  }
  if (!order.known) return domainError('ORDER_UNKNOWN', 'There is no such order.');
  switch (command.type) {
    case 'RecordPaymentOutcome':
      return recordPaymentOutcome(command, order, catalogue);
    case 'ChangeStatus': {
      const entry = catalogue.entry(command.statusCode);
      if (!entry) return domainError('STATUS_CODE_UNKNOWN', 'status_code is not in the status catalogue.');
      return changeStatus(order, entry, catalogue, command);
    }
    case 'Fulfil':
      return fulfil(command, order, catalogue);
    case 'Accept':
    case 'Deny':
      return answerPurchase(command, order, catalogue);
    case 'ApproveReview':
      return approveReview(command, order, catalogue);
    case 'CancelEvent':
      return cancelEvent(command, order, catalogue);
    case 'ProposeReplacement':
    case 'AcceptReplacement':
    case 'RejectReplacement':
    case 'ExpireReplacement':
      return decideReplacement(command, order, catalogue);
    case 'AttachTickets':
    case 'RemoveTicket':
    case 'RecordTicketDownload':
      return decideTicketFiles(command, order);
    case 'ReportDelivery':
      return decideDeliveryReport(command, order, catalogue);
    case 'ExpireConfirmation':
      if (!awaitsConfirmation(order, catalogue) || command.expectedVersion !== order.version) return [];
      return [statusEvent(catalogue.role('broker_did_not_respond'))];
    case 'RecordPaymentRelease':
      if (order.payment.is !== 'authorised') return [];
      const { provider, reference } = order.payment;
      return [{ type: 'PaymentReleased', data: { provider, reference, how: command.how } } as const];
    case 'RecordUnconfirmedPayment': {
      if (order.payment.is !== 'authorised' || order.payment.claim !== 'unchecked') return [];
      const { provider, reference } = order.payment;
      return [{ type: 'PaymentNotConfirmed', data: { provider, reference } } as const];
    }
    case 'RecordPartRelease':
      return recordPartRelease(command, order);
    case 'CorrectBuyer':
      if (order.personalDataErased) return domainError('PERSONAL_DATA_ERASED', 'The personal data was erased.');
      if (isStale(order, command) || order.purchase.personal !== command.replaces) return staleVersion(order);
      if (command.personal === command.replaces) return [];
      return [{ type: 'BuyerCorrected', data: { personal: command.personal } } as const];
    case 'ErasePersonalData':
      if (isStale(order, command)) return staleVersion(order);
      if (order.hasSealedNotes) return [{ type: 'PersonalDataErased', data: {} } as const];
      if (order.personalDataErased) return [];
      if (order.purchase.personal === null)
        return domainError('NO_PERSONAL_DATA', 'The order came without personal data.');
      return [{ type: 'PersonalDataErased', data: {} } as const];
  }
}

/** Any pending status except the review, which only staff can end. */
function awaitsConfirmation({ status }: KnownOrder, catalogue: StatusCatalogue): boolean {
  if (status?.status !== 'pending') return false;
  return catalogue.entry(status.status_code)?.event !== 'OrderHeldForReview';
}

function recordPaymentOutcome(
  { outcome, platformWaits }: Extract<OrderCommand, { type: 'RecordPaymentOutcome' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
) {
  // Both the request and the completer may report the provider's answer. The first one recorded counts.
  if (order.payment.is !== 'asked') return [];
  if (outcome.is === 'unreachable') {
    return order.status ? [] : [statusEvent(catalogue.role('technical_exception'), outcome.reason)];
  }
  if (outcome.is === 'authorised') {
    const { provider, reference, amount_cents } = outcome;
    const authorised = { type: 'PaymentAuthorised', data: { provider, reference, amount_cents } } as const;
    const entry = openingStatus(order.purchase, catalogue);
    return changesStatus(order, entry, catalogue)
      ? [authorised, ...openingEvents(order.purchase, catalogue)]
      : [authorised];
  }
  const { provider, reason } = outcome;
  const notTaken = {
    type: outcome.is === 'declined' ? 'PaymentDeclined' : 'PaymentFailed',
    data: { provider, reason },
  } as const;
  const isKnown = platformWaits || order.status?.status === 'rejected';
  return isKnown ? [notTaken] : [notTaken, statusEvent(catalogue.role('technical_rejection'), reason)];
}

/** Also after the whole payment was released meanwhile, because the money has moved. */
function recordPartRelease(
  { position, how, partReference }: Extract<OrderCommand, { type: 'RecordPartRelease' }>,
  { payment, differenceDue }: KnownOrder,
) {
  if (differenceDue?.position !== position) return [];
  if (payment.is !== 'authorised' && payment.is !== 'released') return [];
  const { provider, reference } = payment;
  const data = { provider, reference, how, amount_cents: differenceDue.cents, part_reference: partReference };
  return [{ type: 'PaymentPartlyReleased', data } as const];
}

/** Whether a late authorisation changes the status. A decision of staff in the meantime stands. */
function changesStatus({ status }: KnownOrder, entry: CatalogueEntry, catalogue: StatusCatalogue): boolean {
  if (status === null) return true;
  const waits = status.status_code === catalogue.role('technical_exception').status.status_code;
  return waits && catalogue.allows(status.status, entry.status.status);
}

function fulfil(
  { fulfillment, ...command }: Extract<OrderCommand, { type: 'Fulfil' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
) {
  const entry = catalogue.role(fulfillment.type === 'ship' ? 'shipped' : 'delivered_electronically');
  const decision = changeStatus(order, entry, catalogue, command);
  if (decision instanceof DomainError) return decision;
  if (decision.length === 0) {
    if (sameFulfillment(order.fulfillment, fulfillment)) return [];
    // The status code does not change, so there is no ping. Support still needs to know which parcel was sent.
    return [{ type: 'FulfillmentCorrected', data: withNote({ fulfillment }, command.note) } as const];
  }
  const type = fulfillment.type === 'ship' ? 'TicketsShipped' : 'TicketsDelivered';
  return [{ type, data: withNote({ status: entry.status, fulfillment }, command.note) } as const];
}

function withNote<T extends object>(data: T, note: string | undefined): T & { note?: string } {
  return note === undefined ? data : { ...data, note };
}

function sameFulfillment(a: Fulfillment | null, b: Fulfillment): boolean {
  if (a?.type === 'ship' && b.type === 'ship') {
    return a.data.carrier === b.data.carrier && a.data.tracking_number === b.data.tracking_number;
  }
  return a?.type === 'download' && b.type === 'download' && a.data.url === b.data.url;
}
