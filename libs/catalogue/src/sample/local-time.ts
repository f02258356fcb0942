/** Date-times without a zone, in milliseconds since 1970 as if they were UTC. */

/** What clocks in the time zone show at a moment. */
export function localOf(utcMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(utcMs);
  return Date.parse(`${parts.replace(' ', 'T')}Z`);
}

/** The moment at which clocks in the time zone show this. */
export function utcOf(localMs: number, timeZone: string): number {
  const guess = localMs - (localOf(localMs, timeZone) - localMs);
  return guess - (localOf(guess, timeZone) - localMs);
}
