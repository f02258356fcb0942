import { inTimeZone } from './time-zone.js';

// The formats of times, money and numbers. One locale for now: en-GB dates, and 24 hours everywhere.
const LOCALE = 'en-GB';
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
// Half a year: nobody takes a date in February for the last one when it is November.
const NEAR_MS = 183 * DAY_S * 1_000;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });
const day = new Intl.DateTimeFormat(LOCALE, { ...inTimeZone, day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(LOCALE, { ...inTimeZone, day: 'numeric', month: 'short', year: 'numeric' });
const year = new Intl.DateTimeFormat(LOCALE, { ...inTimeZone, year: 'numeric' });
const utcDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const exact = new Intl.DateTimeFormat(LOCALE, {
  ...inTimeZone,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const clock = new Intl.DateTimeFormat(LOCALE, { ...inTimeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
const minute = new Intl.DateTimeFormat(LOCALE, { ...inTimeZone, hour: '2-digit', minute: '2-digit' });
// To make one takes longer than to draw a row.
const atVenue = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
} as const;
const venue = new Intl.DateTimeFormat(LOCALE, atVenue);
const venueOfYear = new Intl.DateTimeFormat(LOCALE, { ...atVenue, year: 'numeric' });
const amounts = new Map<string, Intl.NumberFormat>();
const count = new Intl.NumberFormat('en-US');

/** "3 min ago" up to a day, then a date. */
export function shortTime(iso: string, now: number): string {
  const at = new Date(iso);
  const seconds = Math.round((at.getTime() - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 5) return 'now';
  if (size < MINUTE_S) return relative.format(seconds, 'second');
  if (size < HOUR_S) return relative.format(Math.trunc(seconds / MINUTE_S), 'minute');
  if (size < DAY_S) return relative.format(Math.trunc(seconds / HOUR_S), 'hour');
  return dateText(iso, now);
}

/** `23 Nov`, with the year if it is another one. */
export function dateText(iso: string, now = Date.now()): string {
  const at = new Date(iso);
  return year.format(at) === year.format(now) ? day.format(at) : dayOfYear.format(at);
}

/** `22 Nov`, of a day in UTC such as `2026-11-22`. */
export const nameOfDay = (day: string): string => utcDay.format(new Date(day));

export const exactTime = (iso: string): string => exact.format(new Date(iso));

/** 23:06:08.424 */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  return `${clock.format(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** Seconds are told from here on: before that they would only draw the eye. */
const LAST_S = 5 * MINUTE_S;

/** The time left until then, as `4:12 min`, `12 min` or `1 h 20 min`; negative ones are late. */
export function timeLeft(iso: string, now: number): { text: string; late: boolean } {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  const size = Math.abs(seconds);
  const hours = Math.floor(size / HOUR_S);
  const minutes = Math.floor((size % HOUR_S) / MINUTE_S);
  const text =
    hours > 48
      ? `${Math.floor(hours / 24)} days`
      : hours > 0
        ? `${hours} h ${minutes} min`
        : size < LAST_S
          ? `${minutes}:${String(size % MINUTE_S).padStart(2, '0')} min`
          : `${minutes} min`;
  return { text, late: seconds < 0 };
}

/** `14:32` today, else `23 Nov 14:32`, with the year if it is another one. */
export function minuteTime(iso: string, now: number): string {
  const at = new Date(iso);
  const time = minute.format(at);
  return dayOfYear.format(at) === dayOfYear.format(new Date(now)) ? time : `${dateText(iso, now)} ${time}`;
}

/** `$152.50`. @param currency ISO 4217 */
export function money(amount: number, currency = 'USD'): string {
  const format = amounts.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency });
  amounts.set(currency, format);
  return format.format(amount);
}

export const number = (value: number): string => count.format(value);

/** 0.1234 as `12.3%`. Only 1 is `100%`. */
export const percent = (share: number): string => `${Math.floor(share * 1000) / 10}%`;

/**
 * `Fri 27 Nov, 20:00` from the time at a venue, e.g. `2026-11-27T20:00:00`, with the year if it is another one and not near. It is never
 * converted to another zone.
 */
export function venueTime(local: string, now = Date.now()): string {
  const at = new Date(`${local}Z`);
  const isNear = Math.abs(at.getTime() - now) < NEAR_MS || at.getUTCFullYear() === new Date(now).getFullYear();
  return (isNear ? venue : venueOfYear).format(at);
}

/** The same, and whose clock it is: `Fri 27 Nov, 20:00 venue time`. */
export const timeAtVenue = (local: string): string => `${venueTime(local)} venue time`;

/** 812 B, 48 kB, 1.2 MB */
export function byteText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
