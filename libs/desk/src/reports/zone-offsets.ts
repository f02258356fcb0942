import { localOf } from '#discovery/local-time';

// No zone changes its clock twice within a week.
const STEP_S = 7 * 86_400;
/** Earlier and later days have the offsets of these times. */
const [OLDEST, NEWEST] = ['2000-01-01T00:00:00.000Z', '2050-01-01T00:00:00.000Z'];

/** The offset of a zone before UTC, from each time on (ISO 8601; the first is that of all earlier times), in seconds. */
export type ZoneOffsets = Readonly<{ since: readonly string[]; seconds: readonly number[] }>;

/** The offsets of a zone within a period, with `infinity` for one that has no end. @param zone an IANA name */
export function zoneOffsets(zone: string, { from, to }: Readonly<{ from: string; to: string }>): ZoneOffsets {
  const offsetAt = (second: number) => localOf(second * 1_000, zone) / 1_000 - second;
  const first = secondOf(from < OLDEST ? OLDEST : from);
  const end = secondOf(to === 'infinity' || to > NEWEST ? NEWEST : to);
  const since = ['-infinity'];
  const seconds = [offsetAt(first)];
  for (let at = first; at < end; at += STEP_S) {
    if (offsetAt(at) === offsetAt(at + STEP_S)) continue;
    const change = changeBetween(at, at + STEP_S, offsetAt);
    since.push(new Date(change * 1_000).toISOString());
    seconds.push(offsetAt(change));
  }
  return { since, seconds };
}

const secondOf = (iso: string): number => Math.floor(Date.parse(iso) / 1_000);

/** The first second with the offset of the later one. */
function changeBetween(before: number, after: number, offsetAt: (second: number) => number): number {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offsetAt(before)) low = middle;
    else high = middle;
  }
  return high;
}
