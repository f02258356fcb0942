import type { BraintreeBook } from './braintree-book.js';
import { type DisputeRecord, globalId, type PaymentRecord } from './records.js';

type Range = Readonly<{ greaterThanOrEqualTo?: string; lessThanOrEqualTo?: string }>;
type PaymentSearch = Readonly<{
  orderId?: Readonly<{ is?: string }>;
  statusTransition?: Readonly<Record<string, Range>>;
}>;
type Asked<T> = Readonly<{ input: T; first?: number; after?: string | null }>;

// Smaller than what is asked for, so that pages follow one another.
const PAGE = 3;

const STATUS_OF: Readonly<Record<string, string>> = {
  failedAt: 'FAILED',
  settledAt: 'SETTLED',
  submittedForSettlementAt: 'SUBMITTED_FOR_SETTLEMENT',
  voidedAt: 'VOIDED',
};

/** What the double answers to queries. */
export class Queries {
  /** How many of the next searches find nothing, as if their index were behind. */
  emptySearches = 0;

  constructor(private readonly book: BraintreeBook) {}

  ping(): string {
    return 'pong';
  }

  node({ id }: Readonly<{ id: string }>): object | null {
    return this.book.node(id);
  }

  idFromLegacyId({ legacyId, type }: Readonly<{ legacyId: string; type: string }>): string {
    return globalId(type, legacyId);
  }

  search() {
    const { transactions, refundRecords, disputes } = this.book;
    return {
      transactions: (asked: Asked<PaymentSearch>) => this.#page(transactions.filter(matching(asked.input)), asked),
      refunds: (asked: Asked<PaymentSearch>) => this.#page(refundRecords.filter(matching(asked.input)), asked),
      disputes: (asked: Asked<Readonly<{ effectiveDate?: Range }>>) => {
        const { effectiveDate = {} } = asked.input;
        const isMeant = ({ statusHistory }: DisputeRecord) =>
          statusHistory.some((event) => isWithin(event.effectiveDate, effectiveDate));
        return this.#page(disputes.filter(isMeant), asked);
      },
    };
  }

  #page(found: readonly object[], { after }: Asked<unknown>) {
    const from = Number(after ?? 0);
    const isBehind = this.emptySearches > 0;
    if (isBehind) this.emptySearches -= 1;
    const nodes = isBehind ? [] : found.slice(from, from + PAGE);
    const end = from + nodes.length;
    const pageInfo = { hasNextPage: nodes.length > 0 && end < found.length, endCursor: String(end) };
    return { edges: nodes.map((node) => ({ node })), pageInfo };
  }
}

function matching({ orderId, statusTransition = {} }: PaymentSearch) {
  return (record: PaymentRecord): boolean => {
    if (orderId?.is !== undefined && record.orderId !== orderId.is) return false;
    return Object.entries(statusTransition).every(([transition, range]) =>
      record.statusHistory.some(
        ({ status, timestamp }) => status === STATUS_OF[transition] && isWithin(timestamp, range),
      ),
    );
  };
}

/** Times may have microseconds or milliseconds. */
function isWithin(value: string, { greaterThanOrEqualTo: from, lessThanOrEqualTo: to }: Range): boolean {
  const at = Date.parse(value);
  return (from === undefined || at >= Date.parse(from)) && (to === undefined || at <= Date.parse(to));
}
