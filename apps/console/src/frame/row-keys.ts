type Rows = Readonly<{
  count: number;
  /** The row that the keys act on. */
  active: number;
  move: (to: number) => void;
  open: () => void;
  /** @param isRange all rows from the one that was selected before */
  select: (isRange: boolean) => void;
}>;

/** The keys of a list, for `useShortcuts`: they move its active row, open it and select it. */
export function rowKeys({ count, active, move, open, select }: Rows) {
  const by = (rows: number) => () => move(Math.max(0, Math.min(count - 1, active + rows)));
  return {
    j: by(1),
    k: by(-1),
    ArrowDown: by(1),
    ArrowUp: by(-1),
    Enter: open,
    x: () => select(false),
    X: () => select(true),
  };
}
