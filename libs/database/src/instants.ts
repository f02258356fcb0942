import pg from 'pg';

const SECONDS_END = 19;
const FIRST_YEAR = 1_000;
const parseAnyInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date | number;

/**
 * Reads a `timestamptz` as pg does, to the millisecond. The form that a session in UTC writes is read digit by digit: that takes a fifth
 * of the time of pg's expressions, and a page has hundreds of them. Everything else, such as `infinity`, is left to pg.
 */
export function parseInstant(text: string): Date | number {
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  if (!isInUtc(text) || !(year >= FIRST_YEAR)) return parseAnyInstant(text);
  const day = Date.UTC(year, twoDigits(text, 5) - 1, twoDigits(text, 8));
  const seconds = 3_600 * twoDigits(text, 11) + 60 * twoDigits(text, 14) + twoDigits(text, 17);
  return new Date(day + 1_000 * seconds + milliseconds(text));
}

const MILLISECONDS_END = 23;
const IN_UTC = '+00:00';

/** ISO 8601 in UTC with milliseconds, from a `timestamptz` within JSON of the database. Most have that form but for the zone. */
export function isoOfJson(text: string): string {
  const isShort = text.length === MILLISECONDS_END + IN_UTC.length && text.endsWith(IN_UTC);
  return isShort ? `${text.slice(0, MILLISECONDS_END)}Z` : new Date(text).toISOString();
}

/** `2026-11-23 01:02:03+00`, with or without a fraction. */
function isInUtc(text: string): boolean {
  return text.charAt(4) === '-' && text.charAt(10) === ' ' && text.indexOf('+00', SECONDS_END) === text.length - 3;
}

function milliseconds(text: string): number {
  if (text.charAt(SECONDS_END) !== '.') return 0;
  const end = text.length - 3;
  let value = 0;
  for (let place = 1; place <= 3; place += 1) {
    const at = SECONDS_END + place;
    value = 10 * value + (at < end ? digit(text, at) : 0);
  }
  return value;
}

const twoDigits = (text: string, at: number) => 10 * digit(text, at) + digit(text, at + 1);
const digit = (text: string, at: number) => text.charCodeAt(at) - 48;
