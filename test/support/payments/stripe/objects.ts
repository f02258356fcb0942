import type Stripe from 'stripe';
import type {
  ChargeRecord,
  DisputeRecord,
  EventRecord,
  FileRecord,
  IntentRecord,
  LineRecord,
  MethodRecord,
  PayoutRecord,
  RefundRecord,
  Source,
} from './records.js';

/** How the double shows what it keeps: a part of what Stripe shows, in the same shape. `expand` names the references to show whole. */

type Expand = readonly string[];
type CardDetails = Partial<Stripe.Charge.PaymentMethodDetails.Card>;
type ShownCharge = Omit<Partial<Stripe.Charge>, 'payment_method_details' | 'balance_transaction'> & {
  payment_method_details: { type: string; card: CardDetails };
  balance_transaction: string | Partial<Stripe.BalanceTransaction> | null;
};
type ShownIntent = Omit<Partial<Stripe.PaymentIntent>, 'latest_charge'> & {
  latest_charge: string | ShownCharge | null;
};

const below = (expand: Expand, name: string): Expand =>
  expand.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
const isExpanded = (expand: Expand, name: string): boolean =>
  expand.some((path) => path === name || path.startsWith(`${name}.`));

export function intentObject(intent: IntentRecord, expand: Expand = []): ShownIntent {
  const { id, amount, currency, created, metadata, description, status, received, method, error, charge } = intent;
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: status === 'requires_capture' ? amount : 0,
    amount_received: received,
    canceled_at: intent.canceledAt,
    capture_method: 'manual',
    confirmation_method: 'automatic',
    created,
    currency,
    customer: intent.customer,
    description,
    last_payment_error: error && { type: 'card_error', ...error },
    latest_charge:
      charge && isExpanded(expand, 'latest_charge')
        ? chargeObject(charge, below(expand, 'latest_charge'))
        : (charge?.id ?? null),
    livemode: false,
    metadata,
    next_action: null,
    payment_method: method,
    payment_method_types: ['card'],
    status,
  };
}

export function chargeObject(charge: ChargeRecord, expand: Expand = []): ShownCharge {
  const { id, intent, method, created, captured, refunded, disputed, line } = charge;
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: captured ? intent.received : 0,
    amount_refunded: refunded,
    balance_transaction: line && isExpanded(expand, 'balance_transaction') ? lineObject(line) : (line?.id ?? null),
    captured,
    created,
    currency: intent.currency,
    disputed,
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: cardDetails(charge) },
    refunded: refunded > 0 && refunded === intent.received,
    status: 'succeeded',
  };
}

function cardDetails({ method, captureBefore, captured }: ChargeRecord): CardDetails {
  return {
    brand: 'visa',
    ...(!captured && { capture_before: captureBefore }),
    exp_month: method.month,
    exp_year: method.year,
    last4: method.number.slice(-4),
    network: 'visa',
  };
}

export function methodObject({ id, number, month, year, name, customer }: MethodRecord) {
  return {
    id,
    object: 'payment_method',
    customer,
    type: 'card',
    livemode: false,
    billing_details: { name },
    card: { brand: 'visa', exp_month: month, exp_year: year, last4: number.slice(-4) },
  };
}

export function refundObject(refund: RefundRecord): Partial<Stripe.Refund> {
  const { id, intent, amount, created, metadata, status, failure, line } = refund;
  return {
    id,
    object: 'refund',
    amount,
    balance_transaction: line?.id ?? null,
    charge: intent.charge?.id ?? null,
    created,
    currency: intent.currency,
    ...(failure !== null && { failure_reason: failure }),
    metadata,
    payment_intent: intent.id,
    reason: null,
    status,
  };
}

export function disputeObject(
  dispute: DisputeRecord,
): Omit<Partial<Stripe.Dispute>, 'balance_transactions' | 'evidence' | 'evidence_details'> {
  const { id, intent, created, dueBy, lines, status, evidence, submissions, types } = dispute;
  const shown = {
    id,
    object: 'dispute' as const,
    amount: intent.received,
    balance_transactions: lines.map((line) => lineObject(line)),
    charge: intent.charge?.id ?? '',
    created,
    currency: intent.currency,
    enhanced_eligibility_types: [...types],
    evidence,
    evidence_details: {
      due_by: dueBy,
      has_evidence: Object.keys(evidence).length > 0,
      past_due: false,
      submission_count: submissions,
      enhanced_eligibility: {},
    },
    is_charge_refundable: status.startsWith('warning'),
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason: 'fraudulent',
    status,
  };
  return shown;
}

export function lineObject(line: LineRecord, expand: Expand = []): Omit<Partial<Stripe.BalanceTransaction>, 'source'> {
  const { id, type, amount, fee, currency, created, source } = line;
  const shown = {
    id,
    object: 'balance_transaction' as const,
    amount,
    available_on: created,
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: [],
    net: amount - fee,
    reporting_category: type,
    source: source && isExpanded(expand, 'source') ? sourceObject(source) : (source?.record.id ?? null),
    status: 'available',
    type,
  };
  return shown;
}

function sourceObject(source: Source): object {
  switch (source.object) {
    case 'charge':
      return chargeObject(source.record);
    case 'refund':
      return refundObject(source.record);
    case 'dispute':
      return disputeObject(source.record);
    case 'payout':
      return payoutObject(source.record);
  }
}

export function payoutObject({ id, amount, currency, created, status, line }: PayoutRecord): Partial<Stripe.Payout> {
  return {
    id,
    object: 'payout',
    amount,
    arrival_date: created + 2 * 86_400,
    automatic: true,
    balance_transaction: line?.id ?? null,
    created,
    currency,
    livemode: false,
    method: 'standard',
    status,
    type: 'bank_account',
  };
}

export function fileObject({ id, name, type, size, created }: FileRecord): Partial<Stripe.File> {
  const ending = type.split('/').at(-1) ?? null;
  return { id, object: 'file', created, filename: name, purpose: 'dispute_evidence', size, type: ending };
}

export function eventObject({ id, type, created, object }: EventRecord): Record<string, unknown> {
  const request = { id: null, idempotency_key: null };
  return {
    id,
    object: 'event',
    api_version: null,
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request,
    type,
  };
}
