export type Kind =
  | 'hash chain'
  | 'archive'
  | 'ledger'
  | 'feed'
  | 'orders'
  | 'status_history'
  | 'ledger_entries'
  | 'disputes'
  | 'money_tasks'
  | 'stock'
  | 'pings'
  | 'work_items'
  | 'ping_stream'
  | 'money_stream'
  | 'purchase_keys'
  | 'personal_data_keys'
  | 'audit';

/** Names the place, never the content, which may be personal data. */
export type Difference = Readonly<{
  kind: Kind;
  /** Of the stream, the order, the listing or the dispute; of a task what it is about. */
  id: string;
  /** The position in the stream or the feed, or the sequence of a status or a ping. */
  at?: number;
  column?: string;
  problem: string;
}>;

/** Named differences per kind. */
export const NAMED_OF_A_KIND = 20;

/** `found`: how many of each kind. `differences`: the first ones of each. */
export type Found = Readonly<{ found: Partial<Record<Kind, number>>; differences: readonly Difference[] }>;

export class Differences {
  readonly #counts: Map<Kind, number>;
  readonly #named: Difference[];

  constructor({ found, differences }: Found = { found: {}, differences: [] }) {
    this.#counts = new Map(Object.entries(found) as [Kind, number][]);
    this.#named = [...differences];
  }

  add(difference: Difference): void {
    const count = this.#counts.get(difference.kind) ?? 0;
    this.#counts.set(difference.kind, count + 1);
    if (count < NAMED_OF_A_KIND) this.#named.push(difference);
  }

  /** Counts differences without naming them. */
  addUnnamed(kind: Kind, count: number): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  get all(): Found {
    return { found: Object.fromEntries(this.#counts), differences: this.#named };
  }
}
