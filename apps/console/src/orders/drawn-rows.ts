import { useEffect, useReducer, useRef } from 'react';
import type { OrderSummary } from '#orders/order.contract';

/** A row with its place in the list. */
export type PlacedRow = Readonly<{ order: OrderSummary; index: number; top: number }>;
/** The first and the last index in view. */
export type InView = Readonly<{ startIndex: number; endIndex: number }>;

/** A row takes 1 to 2 ms of a slow processor until it is painted. */
const MOST_IN_A_FRAME = 8;

/**
 * Of the rows that are wanted, those to draw now: at most `most` that are new or have changed, nearest to the view first. The others stay as
 * they were drawn.
 */
export function rowsToDraw(
  wanted: readonly PlacedRow[],
  { drawn, inView, most }: Readonly<{ drawn: ReadonlyMap<string, OrderSummary>; inView: InView; most: number }>,
): readonly PlacedRow[] {
  const differing = wanted.filter(({ order }) => drawn.get(order.id) !== order);
  if (differing.length <= most) return wanted;
  const distance = ({ index }: PlacedRow) => Math.max(inView.startIndex - index, index - inView.endIndex, 0);
  const next = new Set(differing.toSorted((one, other) => distance(one) - distance(other)).slice(0, most));
  const later = new Set(differing.filter((row) => !next.has(row)));
  return wanted.flatMap((row) => {
    const before = drawn.get(row.order.id);
    if (!later.has(row)) return row;
    return before ? { ...row, order: before } : [];
  });
}

/** Spreads the drawing of many rows over several frames, so that no task is long. */
export function useDrawnRows(wanted: readonly PlacedRow[], inView: InView): readonly PlacedRow[] {
  const [, drawMore] = useReducer((frames: number) => frames + 1, 0);
  const drawn = useRef<ReadonlyMap<string, OrderSummary>>(new Map());
  const rows = rowsToDraw(wanted, { drawn: drawn.current, inView, most: MOST_IN_A_FRAME });
  const isPart = rows !== wanted;
  useEffect(() => {
    drawn.current = new Map(rows.map(({ order }) => [order.id, order]));
    if (!isPart) return;
    const frame = requestAnimationFrame(drawMore);
    return () => cancelAnimationFrame(frame);
  });
  return rows;
}
