import { DomainError, domainError } from './domain-error.js';
import { type BarcodeCommand, decideBarcodes } from './barcodes.js';
import { answerPurchase, type BrokerAnswer } from './broker-answer.js';
import { type ChoiceCommand, decideChoice } from './choices.js';
import { deliveredStatus } from './delivered-status.js';
import { cancelEvent, type EventCancellation } from './event-cancellation.js';
import { fraudRejection, openingEvents } from './opening.js';
import type { FraudVerdict, Fulfillment, OrderEvent, ReceivedPurchase } from './order-events.js';
import type { KnownOrder, Order } from './order-state.js';
import { decideReplacement, lessToTake, type ReplacementCommand } from './replacement.js';
import { approveReview, type ReviewApproval } from './review.js';
import { decideDispute, type DisputeCommand } from './disputes.js';
import { decideLabel, type LabelCommand } from './parcel-labels.js';
import { decidePayment, type PaymentCommand, preparedEvent } from './payments.js';
import { decideRefund, type RefundCommand } from './refunds.js';
import { decideRemittance, type RemittanceCommand } from './remittances.js';
import type { StatusCatalogue } from './status-catalogue.js';
import { decideTicketFiles, type TicketFileCommand } from './ticket-files.js';
import { decideDeliveryReport, type DeliveryReport } from './delivery-report.js';
import { decideTransfer, type TransferCommand } from './transfers.js';
import { changeStatus, isStale, staleVersion, statusEvent } from './status-change.js';

type PreparedPayment = Readonly<{ provider: string; reference: string; key: string | null }>;

export type OrderCommand =
  /** `screening` is missing if nobody screened the purchase; `prepared`, unless its payment could be prepared without a call. */
  | { type: 'ReceivePurchase'; purchase: ReceivedPurchase; screening?: FraudVerdict; prepared?: PreparedPayment }
  | PaymentCommand
  | RefundCommand
  | DisputeCommand
  | RemittanceCommand
  | { type: 'ChangeStatus'; statusCode: number; note?: string; expectedVersion?: number }
  | { type: 'Fulfil'; fulfillment: Fulfillment; note?: string; expectedVersion?: number }
  | BrokerAnswer
  | ReviewApproval
  | EventCancellation
  | ReplacementCommand
  | TicketFileCommand
  | TransferCommand
  | BarcodeCommand
  | LabelCommand
  | ChoiceCommand
  | DeliveryReport
  | { type: 'ExpireConfirmation'; expectedVersion: number }
  /** `personal` is sealed, and made from the sealed data `replaces`. */
  | { type: 'CorrectBuyer'; personal: string; replaces: string; expectedVersion?: number }
  | { type: 'ErasePersonalData'; expectedVersion?: number }
  /** Whoever gives it knows that the order was invented. */
  | { type: 'RemoveSample' };

export type Decision = readonly OrderEvent[] | DomainError;

// The return types are inferred, so that a test can compare the events that are decided with all events (order.spec.ts).
export function decide(command: OrderCommand, order: Order, catalogue: StatusCatalogue) {
  const decided = decideCommand(command, order, catalogue);
  if (decided instanceof DomainError || !order.known) return decided;
  // Several commands can accept other tickets.
  const isReplaced = decided.some(({ type }) => type === 'ReplacementAccepted');
  if (isReplaced) return [...decided, ...lessToTake(order)];
  return decided.length === 0 ? decided : [...decided, ...deliveredStatus(order, decided, catalogue)];
}

function decideCommand(command: OrderCommand, order: Order, catalogue: StatusCatalogue) {
  if (command.type === 'ReceivePurchase') {
    if (order.known) return domainError('ORDER_EXISTS', 'An order with this id already exists.');
    const { purchase, screening, prepared } = command;
    const received = { type: 'PurchaseReceived', data: purchase } as const;
    const screened = screening ? [{ type: 'FraudScreened', data: screening } as const] : [];
    const rejection = fraudRejection(purchase, screening, catalogue);
    const opening =
      rejection ?? (purchase.payment ? preparation(purchase, prepared) : openingEvents(purchase, catalogue));
    return [received, ...screened, ...opening];
  }
  if (!order.known) return domainError('ORDER_UNKNOWN', 'There is no such order.');
  if (order.removed) {
    return command.type === 'RemoveSample'
      ? []
      : domainError('ORDER_UNKNOWN', 'The order was a sample, and was removed.');
  }
  switch (command.type) {
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
    case 'SendTransfers':
    case 'AnswerTransfer':
    case 'ExpireTransfers':
    case 'AddTransferProof':
      return decideTransfer(command, order, catalogue);
    case 'GiveBarcodes':
    case 'ReplaceBarcode':
      return decideBarcodes(command, order, catalogue);
    case 'PrintLabel':
      return decideLabel(command, order);
    case 'AskChoice':
    case 'AnswerChoice':
      return decideChoice(command, order, catalogue);
    case 'ReportDelivery':
      return decideDeliveryReport(command, order, catalogue);
    case 'ExpireConfirmation':
      if (!awaitsConfirmation(order, catalogue) || command.expectedVersion !== order.version) return [];
      return [statusEvent(catalogue.role('broker_did_not_respond'))];
    case 'RecordPreparedPayment':
    case 'RecordPaymentOutcome':
    case 'RecordCapture':
    case 'RecordPaymentRelease':
    case 'RecordUnconfirmedPayment':
    case 'ReturnPayment':
    case 'RecordFee':
      return decidePayment(command, order, catalogue);
    case 'RequestRefund':
    case 'ApproveRefund':
    case 'DeclineRefund':
    case 'RecordRefund':
    case 'RecordProviderRefund':
      return decideRefund(command, order);
    case 'RecordDispute':
    case 'OpenDispute':
    case 'SendEvidence':
    case 'AcceptDispute':
    case 'CloseDispute':
      return decideDispute(command, order);
    case 'RecordRemittance':
      return decideRemittance(command, order);
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
    case 'RemoveSample':
      return [{ type: 'SampleRemoved', data: {} } as const];
  }
}

function preparation(purchase: ReceivedPurchase, prepared: PreparedPayment | undefined) {
  return prepared ? [preparedEvent(purchase, prepared)] : [];
}

/** Any pending status except the review, which only staff can end. */
function awaitsConfirmation({ status }: KnownOrder, catalogue: StatusCatalogue): boolean {
  if (status?.status !== 'pending') return false;
  return catalogue.entry(status.status_code)?.event !== 'OrderHeldForReview';
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
