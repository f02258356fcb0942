import type { Column } from './column.js';
import type { Slots } from './slots.js';
import { radixSort } from './radix-sort.js';

/** Slots by ascending key; equal keys by ascending id, slots without a key (NaN) last. */
export class OrderedSlots {
  private slots: Uint32Array = new Uint32Array(1024);
  private count = 0;
  private stale = true;

  constructor(
    private readonly owner: Slots,
    private readonly key: Column,
    private readonly slotsById: () => Uint32Array,
  ) {}

  /** A view. The next change invalidates it. */
  all(): Uint32Array {
    if (this.stale) this.sort();
    return this.slots.subarray(0, this.count);
  }

  /** For bulk changes: the next read sorts again. */
  invalidate(): void {
    this.stale = true;
  }

  /** Call this after the key of the slot is set. */
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

  /** Call this before the key of the slot changes. */
  remove(slot: number): void {
    if (this.stale) return;
    const at = this.position(slot);
    this.slots.copyWithin(at, at + 1, this.count);
    this.count--;
  }

  /** How many keys are below `key`, or with `orEqual` not above it. */
  countBelow(key: number, orEqual: boolean): number {
    const slots = this.all();
    return lowerBound(slots.length, (at) => {
      const other = this.key.get(slots[at] ?? 0);
      return !(orEqual ? other <= key : other < key);
    });
  }

  private position(slot: number): number {
    return lowerBound(this.count, (at) => this.compare(this.slots[at] ?? 0, slot) >= 0);
  }

  private sort(): void {
    this.slots = radixSort(this.slotsById(), this.key.data);
    this.count = this.slots.length;
    this.stale = false;
  }

  private compare(a: number, b: number): number {
    return compareKeys(this.key.get(a), this.key.get(b)) || (this.owner.ids[a] ?? 0) - (this.owner.ids[b] ?? 0);
  }
}

export function compareKeys(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** Binary search: the first of `count` positions for which `holds` is true. It must be true for all positions after it. */
function lowerBound(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
