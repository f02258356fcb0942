/** Copies the matching ones of the first `count` slots to the front of `into`, in order. Returns their number. `into` may be the input. */
export type Filter = (slots: Uint32Array, count: number, into: Uint32Array) => number;

/** Looks the integer value of a column up in a table: two array reads for each slot, whatever the query is. */
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

/** Closed at both ends. */
export type Range = Readonly<{ low: number; high: number }>;

/** Reusable output buffers. */
export class Scratch {
  private slots = new Uint32Array(1024);

  /** The slots that pass all filters; the source itself if there are none. */
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

  first(filter: Filter, order: Uint32Array, needed: number): Uint32Array {
    this.fit(CHUNK_SIZE);
    const found = new Uint32Array(needed);
    let count = 0;
    for (let at = 0; at < order.length && count < needed; at += CHUNK_SIZE) {
      const chunk = order.subarray(at, at + CHUNK_SIZE);
      const kept = Math.min(needed - count, filter(chunk, chunk.length, this.slots));
      found.set(this.slots.subarray(0, kept), count);
      count += kept;
    }
    return found.subarray(0, count);
  }

  private fit(length: number): void {
    if (this.slots.length < length) this.slots = new Uint32Array(length * 2);
  }
}

const CHUNK_SIZE = 512;
