import type { DirectoryEvent } from './directory-documents.js';

const day = new Intl.DateTimeFormat('en-US', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
const whole = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });

const TO_COME = 'to be announced';

/** Reads the venue's local time as if it were UTC, so that the server's time zone does not shift it. */
const atVenue = ({ datetime_local: local }: DirectoryEvent): Date => new Date(`${local}Z`);

export function dayText(event: DirectoryEvent): string {
  return event.date_tbd ? `Date ${TO_COME}` : day.format(atVenue(event));
}

export function timeText(event: DirectoryEvent): string {
  if (event.date_tbd) return '';
  return event.time_tbd ? `Time ${TO_COME}` : clock.format(atVenue(event));
}

/** `Friday, November 27, 2026, 8:00 PM`. */
export function whenText(event: DirectoryEvent): string {
  if (event.date_tbd) return `Date ${TO_COME}`;
  return `${whole.format(atVenue(event))}, ${event.time_tbd ? `time ${TO_COME}` : clock.format(atVenue(event))}`;
}

/** The moment with the offset of the venue, as schema.org wants it; the day alone if the time is not known. */
export function startDate(event: DirectoryEvent): string {
  const { datetime_local: local, datetime_utc: utc } = event;
  if (event.time_tbd || event.date_tbd) return local.slice(0, 10);
  const minutes = Math.round((Date.parse(`${local}Z`) - Date.parse(`${utc}Z`)) / 60_000);
  const two = (number: number) => String(Math.trunc(Math.abs(number))).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

export const priceText = (amount: number): string => dollars.format(amount);

export function placeText({ city, state, country }: DirectoryEvent['venue']): string {
  return [city, state, country === 'US' ? null : country].filter(Boolean).join(', ');
}
