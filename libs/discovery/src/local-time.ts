/** Local times are milliseconds since 1970, as if they were UTC. Time zones are names such as `America/New_York`. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time in the time zone at a moment. @throws RangeError if there is no such time zone */
export function localOf(utcMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return Date.parse(`${format.format(utcMs).replace(' ', 'T')}Z`);
}

/**
 * The moment of a local time in the time zone. As in Temporal (`disambiguation: 'compatible'`), a time that the clocks skip is later by what they
 * skip, and of a time that they show twice it is the first.
 */
export function utcOf(localMs: number, timeZone: string): number {
  const DAY_MS = 86_400_000;
  const offsetAt = (utcMs: number) => localOf(utcMs, timeZone) - utcMs;
  // The offsets before and after a change of the clocks, if there is one on this day.
  const [before, after] = [offsetAt(localMs - DAY_MS), offsetAt(localMs + DAY_MS)];
  const candidates = [localMs - before, localMs - after].filter((utcMs) => localOf(utcMs, timeZone) === localMs);
  return candidates.length === 0 ? localMs - before : Math.min(...candidates);
}
