/** From `low` to `high`, both inclusive. */
export type IdRange = Readonly<{ low: number; high: number }>;

// Beyond this number the lower half is merged into one range. A wider range is never wrong, it only scans more dead rows.
const MOST_RANGES = 400;

/**
 * The outbox ids that may still become visible: all but those seen and those settled (see OutboxWriters). Ids commit out of order, so "all
 * ids above the highest seen" would skip rows. "All ids" would scan the dead rows that a foreign transaction protects from vacuum.
 */
export class AwaitedIds {
  #ranges: readonly IdRange[] = [{ low: 1, high: Number.MAX_SAFE_INTEGER }];

  /** Ascending and disjoint. The last range is open-ended. */
  get ranges(): readonly IdRange[] {
    return this.#ranges;
  }

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
