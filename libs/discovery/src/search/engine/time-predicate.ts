import type { EventTable } from '../columns/event-table.js';
import type { Days, When } from '../text/time-phrases.js';

const DAY_MS = 86_400_000;

/** Undefined if the time recurs every year. */
export function daysAround(when: When, now: number): Days | undefined {
  if (when.kind === 'from-today') {
    const days = daysByToday(when, now);
    return { from: Math.min(...days.map(({ from }) => from)), to: Math.max(...days.map(({ to }) => to)) };
  }
  const { year, month } = when;
  if (year === undefined) return undefined;
  const [first, end] = month === undefined ? [0, 12] : [month, month + 1];
  return { from: Date.UTC(year, first) / DAY_MS, to: Date.UTC(year, end) / DAY_MS };
}

/** In the local time of the venue. */
export function timePredicate(events: EventTable, when: When, now: number): (slot: number) => boolean {
  if (when.kind === 'calendar') return calendarTest(events, when);
  const utc = events.keys.column('datetime_utc').data;
  const local = events.keys.column('datetime_local').data;
  const day = events.day.data;
  const today = Math.floor(now / DAY_MS);
  const ranges = daysByToday(when, now);
  return (slot) => {
    const localToday = Math.floor((now + (local[slot] ?? 0) - (utc[slot] ?? 0)) / DAY_MS);
    const { from, to }: Days = ranges[localToday - today + 1] ?? { from: 0, to: 0 };
    return (day[slot] ?? 0) >= from && (day[slot] ?? 0) < to;
  };
}

/** At any moment the local date is one of three days: the UTC date, the day before or the day after. */
function daysByToday({ days }: Extract<When, { kind: 'from-today' }>, now: number): Days[] {
  const today = Math.floor(now / DAY_MS);
  return [days(today - 1), days(today), days(today + 1)];
}

function calendarTest(
  events: EventTable,
  { year, month, day }: Extract<When, { kind: 'calendar' }>,
): (slot: number) => boolean {
  const [years, months] = [events.year.data, events.month.data];
  const local = events.keys.column('datetime_local').data;
  return (slot) =>
    (year === undefined || years[slot] === year) &&
    (month === undefined || months[slot] === month) &&
    (day === undefined || new Date(local[slot] ?? 0).getUTCDate() === day);
}
