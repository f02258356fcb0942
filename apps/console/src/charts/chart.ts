import type { OrdersSearch } from '../orders/list-address.js';

/** The colour of a series: that of a status, or of the accent. */
type Tone = 'confirmed' | 'pending' | 'exception' | 'rejected' | 'accent' | 'faint';

/** `orders` is the query of the address that lists the counted orders. */
type Series = Readonly<{ id: string; name: string; tone: Tone; orders?: OrdersSearch }>;

/** One place on the horizontal axis. */
export type Slot = Readonly<{
  id: string;
  name: string;
  /** Null: nothing was measured. */
  values: Readonly<Record<string, number | null>>;
  orders?: OrdersSearch;
}>;

export type ChartData = Readonly<{
  series: readonly Series[];
  slots: readonly Slot[];
  format: (value: number) => string;
  /** The axis counts in this unit: 60 for minutes of values in seconds. */
  unit?: number;
  /** Counts: the axis has no fractions. */
  isWhole?: boolean;
}>;

export const HEIGHT = 190;
export const MARGIN = { top: 8, right: 4, bottom: 22, left: 52 } as const;

// The pixels that the name of a slot needs.
const NAME_WIDTH = 88;

/** The slots with a name below the axis: as many as fit, evenly spaced, and always the last one. */
export function namedSlots(slots: readonly Slot[], width: number): readonly number[] {
  const most = Math.max(1, Math.floor(width / NAME_WIDTH));
  const step = Math.max(1, Math.ceil(slots.length / most));
  return slots.flatMap((_, index) => ((slots.length - 1 - index) % step === 0 ? [index] : []));
}
