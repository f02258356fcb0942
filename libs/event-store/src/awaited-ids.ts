/** Ids from `low` to `high`, both included. */
export type IdRange = Readonly<{ low: number; high: number }>;

// Beyond this the lower half becomes one range again: a wider range is never wrong, it only passes more dead rows.
const MOST_RANGES = 400;

/**
 * The outbox ids of which a row may still come into sight: always a superset of the true ones, and kept small.
 *
 * Ids commit out of order, so "everything above the highest seen" skips rows, and "everything" passes all the dead rows
 * that a foreign transaction keeps from being cleaned. Between them: all ids, less those seen (an id comes once), less
 * those that are settled (no transaction is left that could bring them, see OutboxWriters).
 */
export class AwaitedIds {
  #ranges: readonly IdRange[] = [{ low: 1, high: Number.MAX_SAFE_INTEGER }];

  /** Ascending and apart from each other; the last one is open upwards. */
  get ranges(): readonly IdRange[] {
    return this.#ranges;
  }

  /** These came, in ascending order. */
  seen(ids: readonly number[]): void {
    const rest: IdRange[] = [];
    let next = 0;
    for (const { low, high } of this.#ranges) {
      let from = low;
      for (let id = ids[next]; id !== undefined && id <= high; id = ids[(next += 1)]) {
        if (id > from) rest.push({ low: from, high: id - 1 });
        from = Math.max(from, id + 1);
      }
      if (from <= high) rest.push({ low: from, high });
    }
    this.#ranges = joined(rest);
  }

  /** No id up to this one will come any more. */
  settled(upTo: number): void {
    this.#ranges = this.#ranges
      .filter(({ high }) => high > upTo)
      .map(({ low, high }) => ({ low: Math.max(low, upTo + 1), high }));
  }
}

function joined(ranges: readonly IdRange[]): readonly IdRange[] {
  if (ranges.length <= MOST_RANGES) return ranges;
  const half = ranges.slice(0, MOST_RANGES / 2);
  const [first, last] = [half[0], half.at(-1)];
  if (!first || !last) return ranges;
  return [{ low: first.low, high: last.high }, ...ranges.slice(half.length)];
}
