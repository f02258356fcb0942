import { text } from '#base/text';

/** A name of the IANA time zone database. */
export const TimeZone = text(100).refine(isTimeZone, 'must be a time zone such as America/New_York');

function isTimeZone(name: string): boolean {
  try {
    // Node.js knows offsets too, but +05:00 does not say when clocks change.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
