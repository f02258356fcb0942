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

/** Something that is not as the log has it. Names places, never what stands there: that may be somebody's data. */
export type Difference = Readonly<{
  kind: Kind;
  /** Of the stream, the order or the listing. */
  id: string;
  /** The position in the stream or the feed, or the sequence of a status or a ping. */
  at?: number;
  column?: string;
  problem: string;
}>;

/** How many differences of one kind are named. */
export const NAMED_OF_A_KIND = 20;

/** Counts all differences and keeps the first of each kind. */
export class Differences {
  readonly #counts = new Map<Kind, number>();
  readonly #named: Difference[] = [];

  add(difference: Difference): void {
    const count = this.#counts.get(difference.kind) ?? 0;
    this.#counts.set(difference.kind, count + 1);
    if (count < NAMED_OF_A_KIND) this.#named.push(difference);
  }

  /** For those that were counted and are not worth naming one by one. */
  addUnnamed(kind: Kind, count: number): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  get named(): readonly Difference[] {
    return this.#named;
  }

  /** Only kinds of which there are any. */
  get counts(): Partial<Record<Kind, number>> {
    return Object.fromEntries(this.#counts);
  }
}
