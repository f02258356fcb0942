/** A sparse map (weights from 1 to 255; 0 means none). It records the touched slots, so clearing it for the next search is cheap. */
export class SlotWeights {
  weights = new Uint8Array(1024);
  private touched = new Uint32Array(1024);
  count = 0;

  raise(slot: number, weight: number): void {
    const before = this.weights[slot] ?? 0;
    if (before >= weight) return;
    this.weights[slot] = weight;
    if (before !== 0) return;
    if (this.count === this.touched.length) {
      const grown = new Uint32Array(this.count * 2);
      grown.set(this.touched);
      this.touched = grown;
    }
    this.touched[this.count++] = slot;
  }

  /** Sets many weights at once. The slots must be distinct and must not have a weight yet. */
  fill(slots: Uint32Array, weights: Uint8Array): void {
    if (this.touched.length < slots.length) this.touched = new Uint32Array(slots.length * 2);
    this.touched.set(slots);
    this.count = slots.length;
    for (let at = 0; at < slots.length; at++) this.weights[slots[at] ?? 0] = weights[at] ?? 0;
  }

  /** A view. The next change invalidates it. */
  slots(): Uint32Array {
    return this.touched.subarray(0, this.count);
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.weights[this.touched[at] ?? 0] = 0;
    this.count = 0;
  }

  ensureSize(slots: number): void {
    if (this.weights.length < slots) this.weights = new Uint8Array(slots * 2);
  }
}

/** The SlotWeights of one search, released together. A search never awaits, so only one runs at a time. */
export class SlotWeightsPool {
  private readonly all: SlotWeights[] = [];
  private used = 0;

  take(slots: number): SlotWeights {
    const entry = this.all[this.used] ?? new SlotWeights();
    this.all[this.used++] = entry;
    entry.ensureSize(slots);
    return entry;
  }

  release(): void {
    for (; this.used > 0; this.used--) this.all[this.used - 1]?.clear();
  }
}
