import quickselect from 'quickselect';

type Compare = (a: number, b: number) => number;

/** The slots at positions `from` to `to` (exclusive) of the sorted list. It may reorder `slots`. */
export function sortedWindow(slots: Uint32Array, from: number, to: number, compare: Compare): Uint32Array {
  const end = Math.min(to, slots.length);
  if (from >= end) return new Uint32Array();
  // The library only reads and writes elements, which its types allow for plain arrays alone.
  const list = slots as unknown as number[];
  const last = slots.length - 1;
  if (from > 0) quickselect(list, from, 0, last, compare);
  if (end <= last) quickselect(list, end, from, last, compare);
  return slots.slice(from, end).sort(compare);
}
