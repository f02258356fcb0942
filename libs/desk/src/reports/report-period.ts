import type { ReportSchedule } from '../report-subscription.contract.js';

/** Whole days in UTC. `from` is inclusive, `to` exclusive, both ISO 8601; `days` has each day as `2026-11-22`. */
export type ReportPeriod = Readonly<{ from: string; to: string; days: readonly string[] }>;

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<ReportSchedule, number>> = { daily: 1, weekly: 7 };
// 5 January 1970 was the first Monday.
const BEGINNING_MS: Readonly<Record<ReportSchedule, number>> = { daily: 0, weekly: 4 * DAY_MS };

// A purchase of the last moment may still be on its way into the database.
const SETTLING_MS = 60_000;

/** The end of the newest period that is over, in milliseconds. */
export function lastEnd(schedule: ReportSchedule, now: number): number {
  const [length, beginning] = [DAYS[schedule] * DAY_MS, BEGINNING_MS[schedule]];
  return Math.floor((now - beginning) / length) * length + beginning;
}

/** The same, but only once everything that belongs into the period is in the database. */
export const lastSettledEnd = (schedule: ReportSchedule, now: number): number => lastEnd(schedule, now - SETTLING_MS);

/** When the report of the period after this end may go out, in milliseconds. */
export const nextSending = (schedule: ReportSchedule, end: number): number =>
  end + DAYS[schedule] * DAY_MS + SETTLING_MS;

/** @param end in milliseconds, of `lastEnd` */
export function periodUntil(schedule: ReportSchedule, end: number): ReportPeriod {
  const count = DAYS[schedule];
  const from = end - count * DAY_MS;
  const days = Array.from({ length: count }, (_, index) => iso(from + index * DAY_MS).slice(0, 10));
  return { from: iso(from), to: iso(end), days };
}

const iso = (at: number) => new Date(at).toISOString();
