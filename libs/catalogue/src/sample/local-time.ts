/** Local times are milliseconds since 1970, as if they were UTC. */

/** The local time in the time zone at a moment. */
export function localOf(utcMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(utcMs);
  return Date.parse(`${parts.replace(' ', 'T')}Z`);
}

/** The moment of a local time in the time zone. */
export function utcOf(localMs: number, timeZone: string): number {
  const guess = localMs - (localOf(localMs, timeZone) - localMs);
  return guess - (localOf(guess, timeZone) - localMs);
}
