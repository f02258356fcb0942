const NO_LIST = -1;

/**
 * All lists in one array. Separate lists would be hundreds of thousands of objects for the garbage collector. Meant for lists that seldom
 * change.
 */
export class PackedLists {
  private starts = new Int32Array(1024);
  private lengths = new Int32Array(1024).fill(NO_LIST);
  private numbers = new Int32Array(4096);
  private filled = 0;
  /** How many of the numbers belong to deleted lists. */
  private unused = 0;

  has(slot: number): boolean {
    return (this.lengths[slot] ?? NO_LIST) !== NO_LIST;
  }

  /** A view; empty if there is no list. The next change invalidates it. */
  get(slot: number): Int32Array {
    return this.numbers.subarray(this.start(slot), this.end(slot));
  }

  /** The list of a slot is `at(start)` up to `at(end - 1)`. Hot loops use this, because views are expensive there. */
  start(slot: number): number {
    return this.starts[slot] ?? 0;
  }

  end(slot: number): number {
    return this.start(slot) + Math.max(0, this.lengths[slot] ?? NO_LIST);
  }

  at(position: number): number {
    return this.numbers[position] ?? 0;
  }

  isSame(slot: number, list: readonly number[]): boolean {
    if (this.lengths[slot] !== list.length) return false;
    const start = this.start(slot);
    return list.every((number, at) => this.numbers[start + at] === number);
  }

  set(slot: number, list: readonly number[]): void {
    this.delete(slot);
    if (slot >= this.lengths.length) this.growSlots(slot);
    if (this.filled + list.length > this.numbers.length) this.compact(list.length);
    this.starts[slot] = this.filled;
    this.lengths[slot] = list.length;
    this.numbers.set(list, this.filled);
    this.filled += list.length;
  }

  delete(slot: number): void {
    if (!this.has(slot)) return;
    this.unused += this.lengths[slot] ?? 0;
    this.lengths[slot] = NO_LIST;
  }

  private growSlots(slot: number): void {
    const length = Math.max(this.lengths.length * 2, slot + 1);
    const [starts, lengths] = [new Int32Array(length), new Int32Array(length).fill(NO_LIST)];
    starts.set(this.starts);
    lengths.set(this.lengths);
    [this.starts, this.lengths] = [starts, lengths];
  }

  /** Drops the numbers of deleted lists. */
  private compact(needed: number): void {
    const numbers = new Int32Array((this.filled - this.unused + needed) * 2);
    let filled = 0;
    for (let slot = 0; slot < this.lengths.length; slot++) {
      if (!this.has(slot)) continue;
      const list = this.get(slot);
      numbers.set(list, filled);
      this.starts[slot] = filled;
      filled += list.length;
    }
    [this.numbers, this.filled, this.unused] = [numbers, filled, 0];
  }
}
