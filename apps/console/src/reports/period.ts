import type { OrdersSearch } from '../orders/list-address.js';
import { dayAfter, dayOf, isDay, midnightOf, zoneName } from '../words/time-zone.js';

export const PERIODS = ['7', '30', '90'] as const;
export type Period = (typeof PERIODS)[number];

/** Whole days of a zone: `from` inclusive, `to` exclusive, as ISO 8601, and each day as `2026-11-22`. */
export type Days = Readonly<{ from: string; to: string; days: readonly string[]; zone: string }>;

/** The last days, with today as the last one. */
export function daysOf(period: Period, now: number, zone = zoneName): Days {
  const last = dayOf(new Date(now), zone);
  return wholeDays(dayAfter(last, 1 - Number(period)), Number(period), zone);
}

// A chart of more would be unreadable.
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/**
 * The days from one to another, both `2026-11-22` and inclusive, e.g. of a link in an e-mail: they are those of UTC, so whoever opens the
 * address sees the same figures. Undefined if they are none, or too many.
 */
export function daysBetween(first: string, last: string): Days | undefined {
  if (!isDay(first) || !isDay(last)) return undefined;
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return count < 1 || count > MOST_DAYS ? undefined : wholeDays(first, count, 'UTC');
}

function wholeDays(first: string, count: number, zone: string): Days {
  const days = Array.from({ length: count }, (_, index) => dayAfter(first, index));
  const [from, to] = [first, dayAfter(first, count)].map((day) => midnightOf(day, zone).toISOString());
  return { from: from ?? '', to: to ?? '', days, zone };
}

/** The address of the list of orders that were placed then. */
export function placedIn(
  { from, to }: Readonly<{ from: string; to: string }>,
  filters: OrdersSearch = {},
): OrdersSearch {
  return { ...filters, placed_at: [`gte:${from}`, `lt:${to}`] };
}

/** The same for one of the days. */
export function placedOn(day: string, { zone }: Pick<Days, 'zone'>, filters: OrdersSearch = {}): OrdersSearch {
  return placedIn(wholeDays(day, 1, zone), filters);
}
