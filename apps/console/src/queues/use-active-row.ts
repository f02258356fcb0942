import { useEffect, useRef, useState } from 'react';

type Place = Readonly<{ id: string | null; index: number }>;

/** The row that the keyboard acts on. It stays the same order when others come or go; if it goes itself, the next one takes its place. */
export function useActiveRow(ids: readonly string[], list: string) {
  const [active, setActive] = useState<Place>({ id: null, index: 0 });
  const seen = useRef(ids);
  const index = placeOf(active, ids, seen.current);
  const id = ids[index] ?? null;
  useEffect(() => setActive({ id: null, index: 0 }), [list]);
  useEffect(() => {
    seen.current = ids;
    setActive((before) => (before.id === id && before.index === index ? before : { id, index }));
  });
  return {
    place: index,
    setActive: (to: number) => setActive({ id: ids[to] ?? null, index: to }),
    /** Of an order that comes back into the list. */
    activate: (order: string) => setActive({ id: order, index: 0 }),
  };
}

/** @param before the list when the active order was last in it */
export function placeOf({ id, index }: Place, ids: readonly string[], before: readonly string[]): number {
  const last = Math.max(0, ids.length - 1);
  if (id === null) return Math.min(index, last);
  const found = ids.indexOf(id);
  if (found >= 0) return found;
  const at = before.indexOf(id);
  const next = before.slice(at + 1).find((one) => ids.includes(one));
  return next === undefined ? last : ids.indexOf(next);
}
