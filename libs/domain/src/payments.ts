import { openingEvents, openingStatus } from './opening.js';
import type { DecidedEvent, OrderEvent } from './order-events.js';
import type { KnownOrder } from './order-state.js';
import { returnableOf } from './payment-amounts.js';
import type { PaymentEvent, RefundReason } from './payment-events.js';
import { isProvided } from './payment-state.js';
import { declinedBeyond, failedUnsent } from './refunds.js';
import { returnDue } from './payment-steps.js';
import type { CatalogueEntry, StatusCatalogue } from './status-catalogue.js';
import { statusEvent } from './status-change.js';

type HeldAmount = {
  reference: string;
  amount_cents: number;
  /** When the hold ends by itself, ISO 8601. */
  capture_before: string | null;
};

/** `absent`: the provider knew no payment. `held`: what asking for it has brought about, which goes back. `unreachable`: no answer. */
export type PaymentOutcome =
  | ({ is: 'authorised'; provider: string } & HeldAmount)
  | { is: 'absent'; provider: string; reason: string; held?: HeldAmount }
  | { is: 'declined' | 'unreachable'; provider: string; reason: string };

/** Less than 0: given back. `reference` is that of the fee in the provider's list. */
export type ChargedFee = Readonly<{ reference: string; amount_cents: number; for: 'charge' | 'refund' | 'dispute' }>;

export type PaymentCommand =
  | { type: 'RecordPreparedPayment'; provider: string; reference: string; key: string | null }
  /** `platformWaits`: the platform's request is still open, so its answer reports the outcome; otherwise a status must. */
  | { type: 'RecordPaymentOutcome'; outcome: PaymentOutcome; platformWaits: boolean }
  /** `gone`: nothing is held any more. `refundId`: for what was taken beyond the order's total. */
  | {
      type: 'RecordCapture';
      outcome:
        | Readonly<{ is: 'captured'; amount_cents: number; fee: ChargedFee | null }>
        | Readonly<{ is: 'failed'; reason: string; gone: boolean }>;
      refundId: string;
    }
  | { type: 'RecordPaymentRelease' }
  /** The provider does not confirm what an import said of the payment. */
  | { type: 'RecordUnconfirmedPayment' }
  /** Decides what the order itself gives back: all of a rejected order, or the difference to cheaper tickets. */
  | { type: 'ReturnPayment'; refundId: string }
  | { type: 'RecordFee'; fee: ChargedFee };

/** Who asks for refunds that follow from the order itself. */
const BY_ORDER = 'system:order';

export function decidePayment(
  command: PaymentCommand,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] {
  switch (command.type) {
    case 'RecordPreparedPayment': {
      const { provider, reference, key } = command;
      if (order.payment.is !== 'asked' || order.payment.prepared) return [];
      return [preparedEvent(order.purchase, { provider, reference, key })];
    }
    case 'RecordPaymentOutcome':
      return recordOutcome(command, order, catalogue);
    case 'RecordCapture':
      return recordCapture(command, order, catalogue);
    case 'RecordPaymentRelease': {
      if (order.payment.is !== 'authorised') return [];
      const { provider, reference } = order.payment;
      return [{ type: 'PaymentReleased', data: { provider, reference, how: 'voided' } }];
    }
    case 'RecordUnconfirmedPayment': {
      if (!isProvided(order.payment) || order.payment.claim !== 'unchecked') return [];
      const { provider, reference } = order.payment;
      return [
        { type: 'PaymentNotConfirmed', data: { provider, reference } },
        ...failedUnsent(order, 'The provider does not confirm the payment.'),
      ];
    }
    case 'ReturnPayment':
      return returnPayment(command.refundId, order);
    case 'RecordFee':
      return feeEvents(order, command.fee);
  }
}

export function preparedEvent(
  { total_cents: amount_cents, currency = 'USD' }: KnownOrder['purchase'],
  prepared: Readonly<{ provider: string; reference: string; key: string | null }>,
): Extract<PaymentEvent, { type: 'PaymentPrepared' }> {
  return { type: 'PaymentPrepared', data: { ...prepared, amount_cents, currency } };
}

/** None if the fee is recorded already. */
export function feeEvents(
  { payment, booked }: KnownOrder,
  { reference, amount_cents, for: of }: ChargedFee,
): Extract<PaymentEvent, { type: 'ProviderFeeCharged' }>[] {
  if (!isProvided(payment) || amount_cents === 0 || booked.includes(reference)) return [];
  const { provider, currency } = payment;
  return [{ type: 'ProviderFeeCharged', data: { provider, reference, amount_cents, currency, for: of } }];
}

function recordOutcome(
  { outcome, platformWaits }: Extract<PaymentCommand, { type: 'RecordPaymentOutcome' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly DecidedEvent[] {
  // Both the request and the completer may report the provider's answer. The first one recorded counts.
  if (order.payment.is !== 'asked') return [];
  if (outcome.is === 'unreachable') {
    return order.status ? [] : [statusEvent(catalogue.role('technical_exception'), outcome.reason)];
  }
  if (outcome.is === 'authorised') {
    const authorised = authorisedEvent(order, outcome.provider, outcome);
    const entry = openingStatus(order.purchase, catalogue);
    return changesStatus(order, entry, catalogue)
      ? [authorised, ...openingEvents(order.purchase, catalogue)]
      : [authorised];
  }
  const { provider, reason } = outcome;
  const notTaken =
    outcome.is === 'absent' && outcome.held
      ? authorisedEvent(order, provider, outcome.held)
      : ({
          type: outcome.is === 'declined' ? 'PaymentDeclined' : 'PaymentFailed',
          data: { provider, reason },
        } as const);
  const isKnown = platformWaits || order.status?.status === 'rejected';
  return isKnown ? [notTaken] : [notTaken, statusEvent(catalogue.role('technical_rejection'), reason)];
}

function authorisedEvent(
  { purchase: { currency = 'USD' } }: KnownOrder,
  provider: string,
  { reference, amount_cents, capture_before: end }: HeldAmount,
): Extract<PaymentEvent, { type: 'PaymentAuthorised' }> {
  const data = { provider, reference, amount_cents, currency, ...(end !== null && { capture_before: end }) };
  return { type: 'PaymentAuthorised', data };
}

/** Whether a late authorisation changes the status. A decision of staff in the meantime stands. */
function changesStatus({ status }: KnownOrder, entry: CatalogueEntry, catalogue: StatusCatalogue): boolean {
  if (status === null) return true;
  const waits = status.status_code === catalogue.role('technical_exception').status.status_code;
  return waits && catalogue.allows(status.status, entry.status.status);
}

function recordCapture(
  { outcome, refundId }: Extract<PaymentCommand, { type: 'RecordCapture' }>,
  order: KnownOrder,
  catalogue: StatusCatalogue,
): readonly OrderEvent[] & readonly DecidedEvent[] {
  const { payment, status } = order;
  // Money that was taken is recorded even after a failure or a release, because it has moved.
  if (!isProvided(payment) || payment.is === 'captured') return [];
  const { provider, reference, currency } = payment;
  if (outcome.is === 'captured') {
    const { amount_cents, fee } = outcome;
    const captured = { type: 'PaymentCaptured', data: { provider, reference, amount_cents, currency } } as const;
    const excess = amount_cents - order.purchase.total_cents;
    const isRejected = status?.status === 'rejected';
    // The order got cheaper tickets while the capture was under way.
    const back = excess > 0 && !isRejected ? [refundByOrder(order, refundId, excess)] : [];
    return [captured, ...(fee ? feeEvents(order, fee) : []), ...back];
  }
  if (payment.is === 'released') return [];
  const { reason, gone } = outcome;
  if (payment.capture_failed && !gone) return [];
  const failed = { type: 'CaptureFailed', data: { provider, reference, reason, gone } } as const;
  const entry = catalogue.role('technical_exception');
  const isNews = status !== null && status.status_code !== entry.status.status_code;
  return isNews && catalogue.allows(status.status, entry.status.status)
    ? [failed, statusEvent(entry, reason)]
    : [failed];
}

/** Refunds that wait for an approval give way: all of them when the order is rejected, else those that no longer fit. */
function returnPayment(refundId: string, order: KnownOrder): readonly DecidedEvent[] {
  const cents = returnDue(order);
  if (cents <= 0) return [];
  const left = order.status?.status === 'rejected' ? 0 : returnableOf(order) - cents;
  return [...declinedBeyond(order, left, BY_ORDER), refundByOrder(order, refundId, cents)];
}

/** The buyer's account bears it: the sale is already reversed, or its price has fallen. */
function refundByOrder(
  order: KnownOrder,
  refund_id: string,
  amount_cents: number,
): Extract<PaymentEvent, { type: 'RefundRequested' }> {
  const data = {
    refund_id,
    amount_cents,
    currency: order.purchase.currency ?? 'USD',
    quantity: null,
    reason: rejectedFor(order),
    origin: 'order',
    requested_by: BY_ORDER,
    needs_approval: false,
    lines: [{ account: 'buyer', amount_cents }],
  } as const;
  return { type: 'RefundRequested', data };
}

function rejectedFor({ status, choice }: KnownOrder): RefundReason {
  if (status?.status === 'rejected' && choice?.answer === 'refund') return 'event_postponed';
  return status?.status_code === EVENT_CANCELLED ? 'event_cancelled' : 'other';
}

const EVENT_CANCELLED = 3007;
