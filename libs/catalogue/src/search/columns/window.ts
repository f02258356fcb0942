type Compare = (a: number, b: number) => number;

/** The slots that would stand at `from` to `to` (exclusive) if all of `slots` were sorted; the rest stays unsorted, which is what makes it quick. */
export function sortedWindow(slots: Uint32Array, from: number, to: number, compare: Compare): Uint32Array {
  const end = Math.min(to, slots.length);
  if (from >= end) return new Uint32Array();
  if (from > 0) partition(slots, 0, from, compare);
  if (end < slots.length) partition(slots, from, end, compare);
  return slots.slice(from, end).sort(compare);
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
