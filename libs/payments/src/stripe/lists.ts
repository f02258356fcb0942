import type Stripe from 'stripe';
import type { BalanceLine, ProviderPayout } from '../provider-lists.js';
import { payoutState } from './events.js';
import { currencyOf, expanded, idOf, iso } from './intents.js';

const PAGE = 100;

const KINDS: Readonly<Record<string, BalanceLine['kind']>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_failed',
  payment_failure_refund: 'refund_failed',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  payout: 'payout',
  payout_cancel: 'payout_failed',
  payout_failure: 'payout_failed',
};

/** Stripe lists newest first, and pages only that way, so a period is read whole. */
export async function* balanceLines(stripe: Stripe, from: string, to: string): AsyncGenerator<BalanceLine> {
  const lines: BalanceLine[] = [];
  const params = { created: between(from, to), expand: ['data.source'], limit: PAGE };
  for await (const line of stripe.balanceTransactions.list(params)) lines.push(balanceLine(line));
  yield* lines.toReversed();
}

export async function* payouts(stripe: Stripe, from: string, to: string): AsyncGenerator<ProviderPayout> {
  const all: ProviderPayout[] = [];
  for await (const payout of stripe.payouts.list({ created: between(from, to), limit: PAGE })) {
    all.push({
      reference: payout.id,
      amountCents: payout.amount,
      currency: currencyOf(payout),
      state: payoutState(payout.status),
      createdAt: iso(payout.created),
      arrivesAt: iso(payout.arrival_date),
    });
  }
  yield* all.toReversed();
}

/** Stripe's times are whole seconds: nothing lies between a broken second and the next whole one. */
function between(from: string, to: string): { gte: number; lt: number } {
  return { gte: Math.ceil(Date.parse(from) / 1_000), lt: Math.ceil(Date.parse(to) / 1_000) };
}

function balanceLine(line: Stripe.BalanceTransaction): BalanceLine {
  const source = expanded(line.source);
  return {
    id: line.id,
    kind: kindOf(line, source),
    ...belonging(source),
    ...(source === undefined && { reference: idOf(line.source) }),
    amountCents: line.amount,
    feeCents: line.fee,
    currency: currencyOf(line),
    createdAt: iso(line.created),
  };
}

/** Disputes have no type of their own: they are adjustments. */
function kindOf(
  line: Stripe.BalanceTransaction,
  source: Stripe.BalanceTransactionSource | undefined,
): BalanceLine['kind'] {
  if (source?.object === 'dispute') return line.amount < 0 ? 'dispute' : 'dispute_reversed';
  return KINDS[line.type] ?? 'other';
}

type Belonging = Pick<BalanceLine, 'reference' | 'payment' | 'orderId' | 'refundId'>;

function belonging(source: Stripe.BalanceTransactionSource | undefined): Belonging {
  const nothing = { reference: null, payment: null, orderId: null, refundId: null };
  switch (source?.object) {
    case 'charge': {
      const payment = idOf(source.payment_intent);
      return { ...nothing, reference: payment ?? source.id, payment, orderId: source.metadata.order_id ?? null };
    }
    case 'refund': {
      const { order_id = null, refund_id = null } = source.metadata ?? {};
      return { reference: source.id, payment: idOf(source.payment_intent), orderId: order_id, refundId: refund_id };
    }
    case 'dispute':
      return { ...nothing, reference: source.id, payment: idOf(source.payment_intent) };
    default:
      return { ...nothing, reference: source?.id ?? null };
  }
}
