import type Stripe from 'stripe';
import type {
  DisputeFact,
  PaymentFact,
  PayoutFact,
  ProviderEvent,
  ProviderFact,
  RefundFact,
} from '../provider-events.js';
import { currencyOf, feeOf, idOf, iso } from './intents.js';
import { refundOutcome } from './refunds.js';
import { ask, StripeFault } from './stripe-fault.js';

/** What we read of Stripe's list. It names at most twenty types. */
const EVENT_TYPES = [
  'payment_intent.amount_capturable_updated',
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'charge.captured',
  'charge.expired',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
] as const;

const PAGE = 100;

export function eventOf(event: Stripe.Event): ProviderEvent {
  return { id: event.id, type: event.type, createdAt: iso(event.created), fact: factOf(event) };
}

/** Oldest first. Stripe lists the last thirty days. */
export async function* eventsAfter(stripe: Stripe, after: string | null): AsyncGenerator<ProviderEvent> {
  const params = { types: [...EVENT_TYPES], limit: PAGE };
  if (after !== null && (await isListed(stripe, after))) {
    // From the end of the list backwards, which is oldest first.
    for await (const event of stripe.events.list({ ...params, ending_before: after })) yield eventOf(event);
    return;
  }
  const all: ProviderEvent[] = [];
  for await (const event of stripe.events.list(params)) all.push(eventOf(event));
  yield* all.toReversed();
}

/** An event that is too old is not found any more. Then all that is left is newer. */
async function isListed(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await ask('asking for an event', () => stripe.events.retrieve(id));
    return true;
  } catch (error) {
    if (error instanceof StripeFault && error.clues.status === 404) return false;
    throw error;
  }
}

function factOf(event: Stripe.Event): ProviderFact {
  switch (event.type) {
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
      return paymentFact(event.data.object.id, event.data.object.metadata);
    case 'charge.captured':
    case 'charge.expired':
    case 'charge.refunded':
      return chargeFact(event.data.object);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundFact(event.data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return disputeFact(event.data.object);
    case 'payout.created':
    case 'payout.updated':
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.canceled':
      return payoutFact(event.data.object);
    default:
      return { is: 'nothing' };
  }
}

const paymentFact = (payment: string, metadata: Stripe.Metadata): PaymentFact => ({
  is: 'payment',
  payment,
  orderId: metadata.order_id ?? null,
});

/** A charge without an intent is none of ours. */
function chargeFact(charge: Stripe.Charge): ProviderFact {
  const payment = idOf(charge.payment_intent);
  return payment === null ? { is: 'nothing' } : paymentFact(payment, charge.metadata);
}

function refundFact(refund: Stripe.Refund): RefundFact | Readonly<{ is: 'nothing' }> {
  const payment = idOf(refund.payment_intent);
  if (payment === null) return { is: 'nothing' };
  const outcome = refundOutcome(refund);
  return {
    is: 'refund',
    payment,
    orderId: refund.metadata?.order_id ?? null,
    reference: refund.id,
    refundId: refund.metadata?.refund_id ?? null,
    amountCents: refund.amount,
    currency: currencyOf(refund),
    outcome: outcome.is,
    reason: outcome.is === 'failed' ? outcome.reason : null,
  };
}

function disputeFact(dispute: Stripe.Dispute): DisputeFact | Readonly<{ is: 'nothing' }> {
  const payment = idOf(dispute.payment_intent);
  if (payment === null) return { is: 'nothing' };
  const { due_by } = dispute.evidence_details;
  return {
    is: 'dispute',
    payment,
    // The metadata of a dispute are its own.
    orderId: null,
    reference: dispute.id,
    inquiry: dispute.status.startsWith('warning_') || dispute.status === 'prevented',
    state: disputeState(dispute.status),
    reason: dispute.reason,
    amountCents: dispute.amount,
    currency: currencyOf(dispute),
    dueAt: due_by === null ? null : iso(due_by),
    fees: dispute.balance_transactions.filter(({ fee }) => fee !== 0).map(feeOf),
  };
}

function disputeState(status: string): DisputeFact['state'] {
  if (status === 'won' || status === 'lost') return status;
  if (status === 'warning_closed' || status === 'prevented') return 'withdrawn';
  return status.endsWith('under_review') ? 'sent' : 'open';
}

const payoutFact = (payout: Stripe.Payout): PayoutFact => ({
  is: 'payout',
  reference: payout.id,
  amountCents: payout.amount,
  currency: currencyOf(payout),
  state: payoutState(payout.status),
  at: iso(payout.created),
});

export function payoutState(status: string): PayoutFact['state'] {
  if (status === 'paid') return 'paid';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}
