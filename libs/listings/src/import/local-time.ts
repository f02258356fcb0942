const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

type DayOrder = readonly ('y' | 'm' | 'd')[];
// Slashes are American, as the currency is: the month first. 27/11/2026 is refused, since the file's 05/11/2026 would mean another day.
const DAYS: readonly (readonly [RegExp, DayOrder])[] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, ['y', 'm', 'd']],
  [/^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?!\d)/, ['m', 'd', 'y']],
  [/^(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)/, ['m', 'd', 'y']],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/, ['d', 'm', 'y']],
  [/^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/, ['m', 'd', 'y']],
  [/^(\d{1,2})[- ]([a-z]{3,9})\.?[- ,]+(\d{4}|\d{2})(?!\d)/, ['d', 'm', 'y']],
];
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /;
const TIME = /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d+)?)?)? ?([ap])?\.?m?\.?$/;

/**
 * A date and time by the clock of a place, as people and spreadsheets write it: `11/27/2026 8:00 PM`, `2026-11-27 20:00`, `27.11.2026`,
 * `Fri, Nov 27, 2026`. Returns `2026-11-27T20:00:00`, or `2026-11-27` without a time; undefined for what is no such text.
 */
export function localTimeOf(text: string): string | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s\u00a0\u202f]+/gu, ' ')
    .replace(WEEKDAY, '');
  for (const [pattern, order] of DAYS) {
    const found = pattern.exec(plain);
    if (!found) continue;
    const day = dayOf(found.slice(1), order);
    const rest = plain.slice(found[0].length).replace(/^(?:t|,? at |[ ,]+)/, '');
    if (day === undefined || rest === '') return day;
    const time = clockTimeOf(rest);
    return time === undefined ? undefined : `${day}T${time}`;
  }
  return undefined;
}

/** `8:00 PM`, `8 pm`, `20:00` as `20:00:00`; undefined for what is no time of a day. */
export function clockTimeOf(text: string): string | undefined {
  const found = TIME.exec(
    text
      .trim()
      .toLowerCase()
      .replace(/[\s\u00a0\u202f]+/gu, ' '),
  );
  const [, hours = '', minutes, seconds = '00', half] = found ?? [];
  if (!found || (minutes === undefined && half === undefined)) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23 || (half !== undefined && (Number(hours) > 12 || hours === '0')) || Number(minutes ?? 0) > 59) {
    return undefined;
  }
  return Number(seconds) > 59 ? undefined : `${two(hour)}:${minutes ?? '00'}:${seconds}`;
}

function dayOf(parts: readonly string[], order: DayOrder): string | undefined {
  const part = (name: 'y' | 'm' | 'd') => parts[order.indexOf(name)] ?? '';
  const month = /^\d/.test(part('m')) ? Number(part('m')) : MONTHS.indexOf(part('m').slice(0, 3)) + 1;
  const year = part('y').length === 2 ? `20${part('y')}` : part('y');
  const day = `${year}-${two(month)}-${two(Number(part('d')))}`;
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(day) ? undefined : day;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
