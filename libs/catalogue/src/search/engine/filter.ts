/** Keeps those of the first `count` slots that match, in their order, at the front; tells how many. */
export type Filter = (slots: Uint32Array, count: number) => number;

/** By a table over the values of a column of whole numbers: each slot costs two look-ups, whatever the question was. */
export const byTable =
  (column: Int32Array, table: Uint8Array): Filter =>
  (slots, count) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      if (table[column[slot] ?? 0] === 1) slots[kept++] = slot;
    }
    return kept;
  };

/** By a mark that each slot bears or not. */
export const byMark =
  (marks: Uint8Array): Filter =>
  (slots, count) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      if (marks[slot] !== 0) slots[kept++] = slot;
    }
    return kept;
  };

/** NaN, a null, is kept by none. */
export const byRange =
  (column: Float64Array, { low, high }: Range): Filter =>
  (slots, count) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      const value = column[slot] ?? Number.NaN;
      if (value >= low && value <= high) slots[kept++] = slot;
    }
    return kept;
  };

export const byTest =
  (holds: (slot: number) => boolean): Filter =>
  (slots, count) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      if (holds(slot)) slots[kept++] = slot;
    }
    return kept;
  };

/** Both ends belong to it. */
export type Range = Readonly<{ low: number; high: number }>;
