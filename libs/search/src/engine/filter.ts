/** Copies the matching ones of the first `count` slots to the front of `into` (may be the same list), in order; returns their number. */
export type Filter = (slots: Uint32Array, count: number, into: Uint32Array) => number;

/** By a table over the values of a column of whole numbers: each slot costs two look-ups, whatever the query is. */
export const byTable =
  (column: Int32Array, table: Uint8Array): Filter =>
  (slots, count, into) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      if (table[column[slot] ?? 0] === 1) into[kept++] = slot;
    }
    return kept;
  };

/** By a mask over the slots: 0 does not match. */
export const byMask =
  (mask: Uint8Array): Filter =>
  (slots, count, into) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      if (mask[slot] !== 0) into[kept++] = slot;
    }
    return kept;
  };

/** NaN (a null) never matches. */
export const byRange =
  (column: Float64Array, { low, high }: Range): Filter =>
  (slots, count, into) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      const value = column[slot] ?? Number.NaN;
      if (value >= low && value <= high) into[kept++] = slot;
    }
    return kept;
  };

export const byTest =
  (holds: (slot: number) => boolean): Filter =>
  (slots, count, into) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      if (holds(slot)) into[kept++] = slot;
    }
    return kept;
  };

/** Both ends belong to it. */
export type Range = Readonly<{ low: number; high: number }>;

/** A list to write into, used again by the next search. */
export class Scratch {
  private slots = new Uint32Array(1024);

  /** What of a source passes all filters; the source itself when there are none. */
  run(filters: readonly Filter[], source: Uint32Array): Uint32Array {
    if (filters.length === 0) return source;
    this.fit(source.length);
    let count = source.length;
    let from = source;
    for (const filter of filters) {
      count = filter(from, count, this.slots);
      from = this.slots;
    }
    return this.slots.subarray(0, count);
  }

  /** The first `needed` of an order that pass, looking no further. */
  first(filter: Filter, order: Uint32Array, needed: number): Uint32Array {
    this.fit(AT_ONCE);
    const found = new Uint32Array(needed);
    let count = 0;
    for (let at = 0; at < order.length && count < needed; at += AT_ONCE) {
      const some = order.subarray(at, at + AT_ONCE);
      const kept = Math.min(needed - count, filter(some, some.length, this.slots));
      found.set(this.slots.subarray(0, kept), count);
      count += kept;
    }
    return found.subarray(0, count);
  }

  private fit(length: number): void {
    if (this.slots.length < length) this.slots = new Uint32Array(length * 2);
  }
}

const AT_ONCE = 512;
