/** Local days of the venue, counted from 1 January 1970; `to` is exclusive. */
export type Days = Readonly<{ from: number; to: number }>;

export type When =
  /** Relative to today, which depends on the time zone. */
  | Readonly<{ kind: 'from-today'; days: (today: number) => Days }>
  /** `month` starts at 0. Without a year it is that month of any year. */
  | Readonly<{ kind: 'calendar'; year?: number | undefined; month?: number | undefined; day?: number | undefined }>;

/** A time at the start of some words. `sure` is false if the words may mean something else (`may` may be a name). */
export type TimePhrase = Readonly<{ when: When; length: number; sure: boolean }>;

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH_NUMBERS = new Map(
  MONTHS.flatMap((name, at) => [
    [name, at],
    [name.slice(0, 3), at],
  ]).concat([['sept', 8]]) as [string, number][],
);
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
// 'sat' and 'sun' are more often names than days.
const WEEKDAY_NUMBERS = new Map(WEEKDAYS.map((name, at) => [name, at]));

// 1 January 1970 was a Thursday.
const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7;
const mondayOf = (day: number) => day - ((weekdayOf(day) + 6) % 7);
const DAY_MS = 86_400_000;
const dayOf = (year: number, month: number) => Date.UTC(year, month, 1) / DAY_MS;

/** The days of the period that begins `ahead` periods after the current one. */
const PERIODS: Readonly<Record<string, (today: number, ahead: number) => Days>> = {
  week: (today, ahead) => ({ from: mondayOf(today) + 7 * ahead, to: mondayOf(today) + 7 * (ahead + 1) }),
  // Friday evening is part of a weekend.
  weekend: (today, ahead) => ({ from: mondayOf(today) + 4 + 7 * ahead, to: mondayOf(today) + 7 * (ahead + 1) }),
  month: (today, ahead) => {
    const date = new Date(today * DAY_MS);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + ahead];
    return { from: dayOf(year, month), to: dayOf(year, month + 1) };
  },
  year: (today, ahead) => {
    const year = new Date(today * DAY_MS).getUTCFullYear() + ahead;
    return { from: dayOf(year, 0), to: dayOf(year + 1, 0) };
  },
};

const SINGLE_DAYS: Readonly<Record<string, number>> = { today: 0, tonight: 0, tomorrow: 1 };

/** Reads a time at the start of folded words: `this weekend`, `next month`, `friday`, `june 5 2026`, `5 june`, `2026`, `2026 06 05`. */
export function timePhraseAt(words: readonly string[]): TimePhrase | undefined {
  const leading = ['this', 'next', 'on', 'in', 'for', 'during', 'the'].includes(words[0] ?? '') ? words[0] : undefined;
  if (leading === undefined) return relativeTime(words, undefined) ?? calendarTime(words);
  const rest = words.slice(1);
  const phrase = relativeTime(rest, leading) ?? calendarTime(rest);
  return phrase && { ...phrase, length: phrase.length + 1, sure: true };
}

function relativeTime([word = '']: readonly string[], leading: string | undefined): TimePhrase | undefined {
  const daysAhead = SINGLE_DAYS[word];
  if (daysAhead !== undefined) {
    return fromToday((today) => ({ from: today + daysAhead, to: today + daysAhead + 1 }), true);
  }
  const period = PERIODS[word];
  // `week` alone is not a time; `weekend` is.
  if (period && (leading === 'this' || leading === 'next' || word === 'weekend')) {
    const ahead = leading === 'next' ? 1 : 0;
    return fromToday((today) => {
      const days = period(today, ahead);
      return { from: Math.max(days.from, today), to: days.to };
    }, true);
  }
  const weekday = WEEKDAY_NUMBERS.get(word);
  if (weekday === undefined) return undefined;
  return fromToday((today) => {
    // The next such day; on a Friday, `next friday` excludes today.
    const first = today + (leading === 'next' ? 1 : 0);
    const day = first + ((weekday - weekdayOf(first) + 7) % 7);
    return { from: day, to: day + 1 };
  }, false);
}

const fromToday = (days: (today: number) => Days, sure: boolean): TimePhrase => ({
  when: { kind: 'from-today', days },
  length: 1,
  sure,
});

function calendarTime(words: readonly string[]): TimePhrase | undefined {
  const [first = '', second = '', third = ''] = words;
  const asYear = yearOf(first);
  if (asYear !== undefined) {
    const [month, day] = [Number(second) - 1, Number(third)];
    const isDate = /^\d\d$/.test(second) && /^\d\d$/.test(third) && month >= 0 && month < 12;
    return isDate ? calendar({ year: asYear, month, day }, 3, true) : calendar({ year: asYear }, 1, false);
  }
  const month = MONTH_NUMBERS.get(first);
  if (month !== undefined) return afterMonth(month, second, third);
  const day = dayOfMonth(first);
  const namedMonth = MONTH_NUMBERS.get(second);
  if (day === undefined || namedMonth === undefined) return undefined;
  const year = yearOf(third);
  return calendar({ month: namedMonth, day, year }, year === undefined ? 2 : 3, true);
}

function afterMonth(month: number, second: string, third: string): TimePhrase {
  const day = dayOfMonth(second);
  const year = yearOf(day === undefined ? second : third);
  const length = 1 + Number(day !== undefined) + Number(year !== undefined);
  return calendar({ month, day, year }, length, length > 1);
}

const calendar = (
  date: Readonly<{ year?: number | undefined; month?: number | undefined; day?: number | undefined }>,
  length: number,
  sure: boolean,
): TimePhrase => ({ when: { kind: 'calendar', ...date }, length, sure });

const yearOf = (word: string) => (/^20\d\d$/.test(word) ? Number(word) : undefined);

function dayOfMonth(word: string): number | undefined {
  const day = /^(\d{1,2})(st|nd|rd|th)?$/.exec(word)?.[1];
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? Number(day) : undefined;
}
