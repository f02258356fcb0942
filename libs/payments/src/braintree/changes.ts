import type { Clock } from '#base/clock';
import type { ProviderEvent } from '../provider-events.js';
import { disputeFact } from './disputes.js';
import { SEARCH_DISPUTES, SEARCH_REFUNDS } from './documents.js';
import type { GraphqlConnection } from './graphql-connection.js';
import { datesAround, type ListedDispute } from './lists.js';
import { everyNode } from './pages.js';
import { centsOf, isoOf, type Refund } from './payments.js';
import { refundFact } from './refund-fact.js';

const FIRST_READ_MS = 30 * 24 * 60 * 60 * 1_000;
const TRANSITIONS = ['submittedForSettlementAt', 'settledAt', 'failedAt'];

/**
 * Braintree lists no events. The histories of its refunds and disputes say the same, so a lost webhook is made up for. The id of such an
 * event begins with its time, and thus says where to go on.
 */
export class Changes {
  constructor(
    private readonly connection: GraphqlConnection,
    private readonly clock: Clock,
  ) {}

  async *after(last: string | null): AsyncIterable<ProviderEvent> {
    const known = Date.parse(last?.split('/')[0] ?? '');
    const since = new Date(Number.isNaN(known) ? this.clock.now() - FIRST_READ_MS : known).toISOString();
    const events = new Map<string, ProviderEvent>();
    for await (const event of this.#refunds(since)) events.set(event.id, event);
    for await (const event of this.#disputes(since)) events.set(event.id, event);
    const after = Number.isNaN(known) ? since : (last ?? since);
    const ordered = [...events.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    yield* ordered.filter(({ id }) => id > after);
  }

  async *#refunds(since: string): AsyncIterable<ProviderEvent> {
    for (const transition of TRANSITIONS) {
      const input = { statusTransition: { [transition]: { greaterThanOrEqualTo: since } } };
      for await (const refund of everyNode<Refund>(this.connection, SEARCH_REFUNDS, input)) {
        for (const { status, timestamp } of refund.statusHistory ?? []) {
          const fact = refundFact({ ...refund, status });
          if (fact) yield changed(`refund ${status}`, refund.id, timestamp, fact);
        }
      }
    }
  }

  async *#disputes(since: string): AsyncIterable<ProviderEvent> {
    const input = { effectiveDate: datesAround(since, this.clock.iso()) };
    for await (const dispute of everyNode<ListedDispute>(this.connection, SEARCH_DISPUTES, input)) {
      const { id: reference, type, amountDisputed, processorResponse, replyByDate, transaction } = dispute;
      if (!transaction) continue;
      for (const { status, timestamp } of dispute.statusHistory ?? []) {
        const fact = disputeFact({
          reference,
          payment: transaction.id,
          orderId: transaction.orderId,
          type,
          status,
          reason: processorResponse?.reason ?? 'general',
          amountCents: centsOf(amountDisputed),
          currency: amountDisputed.currencyCode,
          replyBy: replyByDate,
        });
        yield changed(`dispute ${status}`, reference, timestamp, fact);
      }
    }
  }
}

function changed(what: string, id: string, timestamp: string, fact: ProviderEvent['fact']): ProviderEvent {
  const createdAt = isoOf(timestamp);
  const type = what.toLowerCase().replace(' ', '_');
  return { id: `${createdAt}/${id}/${type}`, type, createdAt, fact };
}
