const KEY = 'willcall.time-zone';
const MINUTE_MS = 60_000;

/** The zone that was chosen in this browser for all times but those at venues: an IANA name. Undefined for that of the machine. */
export const timeZone: string | undefined = storedZone();

/** An option of Intl formats. */
export const inTimeZone = timeZone === undefined ? {} : { timeZone };

/** Formats are made once, so the page is loaded again. @param zone an IANA name; undefined for that of the machine */
export function chooseTimeZone(zone: string | undefined): void {
  if (zone === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, zone);
  location.reload();
}

/**
 * The instant at which a clock shows this time, such as `2026-11-26T00:00`. Of two such instants, when clocks are set back, it is the first
 * or the second; a time that is skipped counts as the one an hour beside it.
 */
export function instantOf(local: string, zone = timeZone): Date {
  if (zone === undefined) return new Date(local);
  const asUtc = Date.parse(`${local}Z`);
  const near = asUtc - offsetAt(asUtc, zone);
  return new Date(asUtc - offsetAt(near, zone));
}

/** The IANA name of the zone. */
export const zoneName = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The instant at which a day such as `2026-11-26` begins. */
export const midnightOf = (day: string, zone = timeZone): Date => instantOf(`${day}T00:00`, zone);

/** The day so many days later, or before. */
export function dayAfter(day: string, days = 1): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + days);
  return next.toISOString().slice(0, 10);
}

/** Whether a text is a day that exists, as `2026-11-26`. */
export const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') &&
  !Number.isNaN(Date.parse(`${text}T00:00Z`)) &&
  dayAfter(text ?? '', 0) === text;

/** What a clock shows at an instant, as a field of day and time has it: `2026-11-26T18:30`. */
export function localTimeOf(at: Date, zone = timeZone): string {
  const shown = { ...(zone !== undefined && { timeZone: zone }), dateStyle: 'short', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('sv-SE', shown).format(at).replace(' ', 'T');
}

/** The day of an instant as a field of a day has it: `2026-11-26`. */
export function dayOf(at: Date, zone = timeZone): string {
  return new Intl.DateTimeFormat('sv-SE', { ...(zone !== undefined && { timeZone: zone }) }).format(at);
}

/** How far the clock of the zone is before that of UTC then, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    at,
  );
  return Math.round((Date.parse(`${shown.replace(' ', 'T')}Z`) - at) / MINUTE_MS) * MINUTE_MS;
}

/** A name that this browser does not know would break every time on the page. */
function storedZone(): string | undefined {
  try {
    const zone = localStorage.getItem(KEY) ?? undefined;
    if (zone !== undefined) new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}
