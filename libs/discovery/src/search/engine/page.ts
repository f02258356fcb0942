import type { SortKeys } from '../columns/sort-keys.js';
import type { Slots } from '../columns/slots.js';
import { sortedWindow } from '../columns/window.js';
import type { Paging } from '../query/paging.js';
import type { Sort } from '../query/sort.js';

/** `orderedBy` is set if the slots are already in ascending order of that field. */
export type MatchedSlots = Readonly<{ slots: Uint32Array; orderedBy?: Sort['field'] | undefined }>;

export type Compare = (a: number, b: number) => number;

export function pageOf(
  matched: MatchedSlots,
  sort: Sort | Compare,
  { slots, keys }: Table,
  paging: Paging,
): Uint32Array {
  const from = (paging.page - 1) * paging.perPage;
  const to = from + paging.perPage;
  if (typeof sort === 'function') return sortedWindow(matched.slots, from, to, sort);
  const { field, direction } = sort;
  if (matched.orderedBy !== field) return sortedWindow(matched.slots, from, to, byField(sort, { slots, keys }));
  if (direction === 'asc') return matched.slots.slice(from, to);
  return descendingPage(matched.slots, keys.column(field).data, from, to);
}

type Table = Readonly<{ slots: Slots; keys: SortKeys }>;

/** Nulls (NaN) last, equal keys by ascending id. */
function byField({ field, direction }: Sort, { slots, keys }: Table): Compare {
  const key = keys.column(field).data;
  const { ids } = slots;
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => {
    const [one, other] = [key[a] ?? Number.NaN, key[b] ?? Number.NaN];
    if (one < other) return -sign;
    if (one > other) return sign;
    if (one !== other) {
      const nulls = Number(Number.isNaN(one)) - Number(Number.isNaN(other));
      if (nulls !== 0) return nulls;
    }
    return (ids[a] ?? 0) - (ids[b] ?? 0);
  };
}

/** `slots` is ascending. Equal keys keep their order, and nulls stay last. */
function descendingPage(slots: Uint32Array, key: Float64Array, from: number, to: number): Uint32Array {
  let nonNullCount = slots.length;
  while (nonNullCount > 0 && Number.isNaN(key[slots[nonNullCount - 1] ?? 0])) nonNullCount--;
  const page: number[] = [];
  let position = 0;
  for (let end = nonNullCount; end > 0 && position < to;) {
    let start = end - 1;
    const value = key[slots[start] ?? 0];
    while (start > 0 && key[slots[start - 1] ?? 0] === value) start--;
    for (let at = start; at < end; at++, position++) {
      if (position >= from && position < to) page.push(slots[at] ?? 0);
    }
    end = start;
  }
  for (let at = nonNullCount; at < slots.length && position < to; at++, position++) {
    if (position >= from) page.push(slots[at] ?? 0);
  }
  return Uint32Array.from(page);
}
