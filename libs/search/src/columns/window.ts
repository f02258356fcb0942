type Compare = (a: number, b: number) => number;

// Up to here it is quicker to carry the best along than to part the list.
const CARRIED = 64;

/** The slots that would stand at `from` to `to` (exclusive) if all of `slots` were sorted. The list may be reordered. */
export function sortedWindow(slots: Uint32Array, from: number, to: number, compare: Compare): Uint32Array {
  const end = Math.min(to, slots.length);
  if (from >= end) return new Uint32Array();
  if (end <= CARRIED) return Uint32Array.from(firstOf(slots, end, compare).slice(from));
  if (from > 0) partition(slots, 0, from, compare);
  if (end < slots.length) partition(slots, from, end, compare);
  return slots.slice(from, end).sort(compare);
}

/** Most slots are compared once, with the last that is carried. */
function firstOf(slots: Uint32Array, count: number, compare: Compare): number[] {
  const first: number[] = [];
  for (const slot of slots) {
    if (first.length === count && compare(slot, first[count - 1] ?? 0) >= 0) continue;
    let at = first.length === count ? count - 1 : first.length;
    for (; at > 0 && compare(slot, first[at - 1] ?? 0) < 0; at--) first[at] = first[at - 1] ?? 0;
    first[at] = slot;
  }
  return first;
}

/** Brings the slots that sort before position `nth` in front of it, looking at those from `start` on (quickselect). */
function partition(slots: Uint32Array, start: number, nth: number, compare: Compare): void {
  let low = start;
  let high = slots.length - 1;
  while (low < high) {
    const pivot = slots[(low + high) >>> 1] ?? 0;
    let left = low;
    let right = high;
    while (left <= right) {
      while (compare(slots[left] ?? 0, pivot) < 0) left++;
      while (compare(slots[right] ?? 0, pivot) > 0) right--;
      if (left > right) break;
      const swapped = slots[left] ?? 0;
      slots[left++] = slots[right] ?? 0;
      slots[right--] = swapped;
    }
    if (nth <= right) high = right;
    else if (nth >= left) low = left;
    else return;
  }
}
