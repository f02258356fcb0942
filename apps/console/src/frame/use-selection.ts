import { useCallback, useRef, useState } from 'react';

/** Rows that are selected, by their ids. `toggle` stays the same function, so that no row is drawn again for it. */
export function useSelection(ids: readonly string[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const shown = useRef(ids);
  shown.current = ids;
  /** @param isRange selects all rows from the one before to this one */
  const toggle = useCallback((id: string, isRange = false) => {
    const from = isRange ? shown.current.indexOf(last.current ?? '') : -1;
    const to = shown.current.indexOf(id);
    const range = from < 0 ? [] : shown.current.slice(Math.min(from, to), Math.max(from, to) + 1);
    setSelected((before) => {
      if (isRange) return new Set([...before, ...range, id]);
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
    last.current = id;
  }, []);
  return { selected, setSelected, toggle };
}

export type Selection = ReturnType<typeof useSelection>;
