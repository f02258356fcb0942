import type { BalanceLine } from '../provider-lists.js';
import { SEARCH_DISPUTES, SEARCH_REFUNDS, SEARCH_TRANSACTIONS } from './documents.js';
import type { GraphqlConnection } from './graphql-connection.js';
import { everyNode } from './pages.js';
import {
  centsOf,
  isoOf,
  isTaken,
  isVoidedAfterCapture,
  type MonetaryAmount,
  type Refund,
  timeOf,
  type Transaction,
} from './payments.js';
import { refundIdOf } from './refund-fact.js';
import { voidOf } from './refunds.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

type Period = Readonly<{ from: string; to: string }>;

export type ListedDispute = Readonly<{
  id: string;
  type: string;
  status: string;
  createdAt: string;
  replyByDate: string | null;
  amountDisputed: MonetaryAmount;
  processorResponse: Readonly<{ reason: string | null }> | null;
  statusHistory: readonly Readonly<{ status: string; timestamp: string }>[] | null;
  transaction: Readonly<{ id: string; orderId: string | null }> | null;
}>;

/** Days of disputes are those of Braintree's place, so a day more on each side. */
export const datesAround = (from: string, to: string) => ({
  greaterThanOrEqualTo: new Date(Date.parse(from) - DAY_MS).toISOString().slice(0, 10),
  lessThanOrEqualTo: new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10),
});

/**
 * Money moves when a payment is captured, when a captured one is voided, when a refund settles, and when a dispute opens or is won. Braintree
 * tells neither its fees nor its payouts here.
 */
export class Lists {
  constructor(private readonly connection: GraphqlConnection) {}

  /** Day by day, because a search has a longest answer. */
  async *balanceLines(from: string, to: string): AsyncIterable<BalanceLine> {
    const end = Date.parse(to);
    for (let start = Date.parse(from); start < end; start += DAY_MS) {
      const day = { from: isoOfMs(start), to: isoOfMs(Math.min(start + DAY_MS, end)) };
      const lines = [
        ...(await this.#charges(day)),
        ...(await this.#voids(day)),
        ...(await this.#refunds(day)),
        ...(await this.#disputes(day)),
      ];
      const inside = lines.filter(({ createdAt }) => createdAt >= day.from && createdAt < day.to);
      yield* inside.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
    }
  }

  async #charges(day: Period): Promise<BalanceLine[]> {
    const input = { statusTransition: { submittedForSettlementAt: timesOf(day) } };
    const lines: BalanceLine[] = [];
    for await (const each of everyNode<Transaction>(this.connection, SEARCH_TRANSACTIONS, input)) {
      const at = timeOf(each, 'SUBMITTED_FOR_SETTLEMENT');
      if (at === undefined || !(isTaken(each) || isVoidedAfterCapture(each))) continue;
      lines.push({
        ...lineOf(each, at),
        id: each.id,
        kind: 'charge',
        reference: each.id,
        amountCents: centsOf(each.amount),
      });
    }
    return lines;
  }

  async #voids(day: Period): Promise<BalanceLine[]> {
    const input = { statusTransition: { voidedAt: timesOf(day) } };
    const lines: BalanceLine[] = [];
    for await (const each of everyNode<Transaction>(this.connection, SEARCH_TRANSACTIONS, input)) {
      const at = timeOf(each, 'VOIDED');
      if (at === undefined || !isVoidedAfterCapture(each)) continue;
      const reference = voidOf(each.id);
      lines.push({ ...lineOf(each, at), id: reference, kind: 'refund', reference, amountCents: -centsOf(each.amount) });
    }
    return lines;
  }

  async #refunds(day: Period): Promise<BalanceLine[]> {
    const input = { statusTransition: { settledAt: timesOf(day) } };
    const lines: BalanceLine[] = [];
    for await (const each of everyNode<Refund>(this.connection, SEARCH_REFUNDS, input)) {
      const at = timeOf(each, 'SETTLED');
      if (at === undefined) continue;
      lines.push({
        ...lineOf(each, at),
        id: each.id,
        kind: 'refund',
        reference: each.id,
        payment: each.refundedTransaction?.id ?? null,
        orderId: each.refundedTransaction?.orderId ?? null,
        refundId: refundIdOf(each),
        amountCents: -centsOf(each.amount),
      });
    }
    return lines;
  }

  async #disputes({ from, to }: Period): Promise<BalanceLine[]> {
    const input = { effectiveDate: datesAround(from, to) };
    const lines: BalanceLine[] = [];
    for await (const each of everyNode<ListedDispute>(this.connection, SEARCH_DISPUTES, input)) {
      if (each.type === 'RETRIEVAL') continue;
      lines.push(disputeLine(each, 'dispute', each.createdAt));
      const won = each.statusHistory?.find(({ status }) => status === 'WON');
      if (won) lines.push(disputeLine(each, 'dispute_reversed', won.timestamp));
    }
    return lines;
  }
}

const isoOfMs = (ms: number): string => new Date(ms).toISOString();

const timesOf = ({ from, to }: Period) => ({ greaterThanOrEqualTo: from, lessThanOrEqualTo: to });

const lineOf = ({ id, orderId, amount }: Transaction, at: string) => ({
  payment: id as string | null,
  orderId,
  refundId: null as string | null,
  feeCents: 0,
  currency: amount.currencyCode,
  createdAt: isoOf(at),
});

function disputeLine(dispute: ListedDispute, kind: 'dispute' | 'dispute_reversed', at: string): BalanceLine {
  const { id, amountDisputed, transaction } = dispute;
  const cents = centsOf(amountDisputed);
  return {
    id: `${id}:${kind}`,
    kind,
    reference: id,
    payment: transaction?.id ?? null,
    orderId: transaction?.orderId ?? null,
    refundId: null,
    amountCents: kind === 'dispute' ? -cents : cents,
    feeCents: 0,
    currency: amountDisputed.currencyCode,
    createdAt: isoOf(at),
  };
}
