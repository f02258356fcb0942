import type { Column } from './column.js';
import type { Slots } from './slots.js';
import { sortedByKey } from './sorted-by-key.js';

/** The slots in use by growing key, those of equal keys by growing id, those without a key (NaN) last. */
export class OrderedSlots {
  private slots: Uint32Array = new Uint32Array(1024);
  private count = 0;
  private stale = true;

  constructor(
    private readonly owner: Slots,
    private readonly key: Column,
    /** All that are to be ordered, by growing id. */
    private readonly members: () => Uint32Array,
  ) {}

  /** A view that the next change invalidates. */
  all(): Uint32Array {
    if (this.stale) this.sort();
    return this.slots.subarray(0, this.count);
  }

  /** For changes too many to follow one by one: sorts anew when next asked. */
  invalidate(): void {
    this.stale = true;
  }

  /** To be called after the slot got its key. */
  insert(slot: number): void {
    if (this.stale) return;
    if (this.count === this.slots.length) {
      const longer = new Uint32Array(Math.max(1024, this.count * 2));
      longer.set(this.slots);
      this.slots = longer;
    }
    const at = this.position(slot);
    this.slots.copyWithin(at + 1, at, this.count);
    this.slots[at] = slot;
    this.count++;
  }

  /** To be called before the slot loses its key. */
  remove(slot: number): void {
    if (this.stale) return;
    const at = this.position(slot);
    this.slots.copyWithin(at, at + 1, this.count);
    this.count--;
  }

  /** How many keys are below `key`; or, with `orEqual`, not above it. */
  countBelow(key: number, orEqual: boolean): number {
    const slots = this.all();
    return firstFor(slots.length, (at) => {
      const other = this.key.get(slots[at] ?? 0);
      return !(orEqual ? other <= key : other < key);
    });
  }

  private position(slot: number): number {
    return firstFor(this.count, (at) => this.compare(this.slots[at] ?? 0, slot) >= 0);
  }

  private sort(): void {
    this.slots = sortedByKey(this.members(), this.key.data);
    this.count = this.slots.length;
    this.stale = false;
  }

  private compare(a: number, b: number): number {
    return compareKeys(this.key.get(a), this.key.get(b)) || (this.owner.ids[a] ?? 0) - (this.owner.ids[b] ?? 0);
  }
}

/** Growing, NaN last. */
export function compareKeys(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** The first of `count` positions for which a condition holds that holds for all after it. */
export function firstFor(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
