import type { EventTable } from '../columns/event-table.js';
import type { Days, When } from '../text/time-phrases.js';

const DAY_MS = 86_400_000;

/** Whether an event is at that time, by the clock of its venue. */
export function whenTest(events: EventTable, when: When, now: number): (slot: number) => boolean {
  if (when.kind === 'calendar') return calendarTest(events, when);
  const utc = events.keys.column('datetime_utc').data;
  const local = events.keys.column('datetime_local').data;
  const day = events.day.data;
  // It is one of three days somewhere on earth.
  const today = Math.floor(now / DAY_MS);
  const ranges = [when.days(today - 1), when.days(today), when.days(today + 1)];
  return (slot) => {
    const todayThere = Math.floor((now + (local[slot] ?? 0) - (utc[slot] ?? 0)) / DAY_MS);
    const { from, to }: Days = ranges[todayThere - today + 1] ?? { from: 0, to: 0 };
    return (day[slot] ?? 0) >= from && (day[slot] ?? 0) < to;
  };
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
