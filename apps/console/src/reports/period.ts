import type { OrdersSearch } from '../orders/list-address.js';

export const PERIODS = ['7', '30', '90'] as const;
export type Period = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;

/** Whole days in UTC: `from` inclusive, `to` exclusive, and each day as `2026-11-22`. */
export type Days = Readonly<{ from: string; to: string; days: readonly string[] }>;

/** The last days, with today as the last one. */
export function daysOf(period: Period, now: number): Days {
  const count = Number(period);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const first = today - (count - 1) * DAY_MS;
  const days = Array.from({ length: count }, (_, index) => isoDay(first + index * DAY_MS));
  return { from: new Date(first).toISOString(), to: new Date(today + DAY_MS).toISOString(), days };
}

// A chart of more would be unreadable.
const MOST_DAYS = 366;

/** The days from one to another, both `2026-11-22` and inclusive, e.g. of a link in an e-mail. Undefined if they are none, or too many. */
export function daysBetween(first: string, last: string): Days | undefined {
  const [from, end] = [Date.parse(first), Date.parse(last)];
  // A day that does not exist is another one here.
  if (!isDay(first, from) || !isDay(last, end)) return undefined;
  const count = (end - from) / DAY_MS + 1;
  if (count < 1 || count > MOST_DAYS) return undefined;
  const days = Array.from({ length: count }, (_, index) => isoDay(from + index * DAY_MS));
  return { from: new Date(from).toISOString(), to: new Date(end + DAY_MS).toISOString(), days };
}

const isDay = (text: string, at: number): boolean => !Number.isNaN(at) && isoDay(at) === text;

const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The address of the list of orders that were placed then. */
export function placedIn(
  { from, to }: Readonly<{ from: string; to: string }>,
  filters: OrdersSearch = {},
): OrdersSearch {
  return { ...filters, placed_at: [`gte:${from}`, `lt:${to}`] };
}

/** The same for one day. */
export function placedOn(day: string, filters: OrdersSearch = {}): OrdersSearch {
  const from = new Date(day);
  return placedIn({ from: from.toISOString(), to: new Date(from.getTime() + DAY_MS).toISOString() }, filters);
}
