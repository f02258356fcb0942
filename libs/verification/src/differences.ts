export type Kind =
  | 'hash chain'
  | 'feed'
  | 'orders'
  | 'status_history'
  | 'stock'
  | 'pings'
  | 'ping_stream'
  | 'purchase_keys'
  | 'personal_data_keys';

/** A row that does not match the log. It names the place, never the content: that may be personal data. */
export type Difference = Readonly<{
  kind: Kind;
  /** The id of the stream, the order or the listing. */
  id: string;
  /** The position in the stream or the feed, or the sequence of a status or a ping. */
  at?: number;
  column?: string;
  problem: string;
}>;

/** The maximum number of named differences per kind. */
export const NAMED_OF_A_KIND = 20;

/** Counts all differences and keeps the first ones of each kind. */
export class Differences {
  readonly #counts = new Map<Kind, number>();
  readonly #named: Difference[] = [];

  add(difference: Difference): void {
    const count = this.#counts.get(difference.kind) ?? 0;
    this.#counts.set(difference.kind, count + 1);
    if (count < NAMED_OF_A_KIND) this.#named.push(difference);
  }

  /** Adds differences that are counted but not named. */
  addUnnamed(kind: Kind, count: number): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  get named(): readonly Difference[] {
    return this.#named;
  }

  /** The counts, without the kinds that have none. */
  get counts(): Partial<Record<Kind, number>> {
    return Object.fromEntries(this.#counts);
  }
}
