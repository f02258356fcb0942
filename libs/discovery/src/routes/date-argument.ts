import type { DateBound } from '../search/query/filters.js';
import type { Argument } from './argument.js';
import { comparisonsOf } from './comparisons.js';

const EXPECTED = 'a date or date-time such as 2026-07-04 or 2026-07-04T19:30:00';

const DESCRIPTION = 'time (2026-07-04T19:30:00, or 2026-07-04 for its midnight); two bounds make a range';

/** Specification: a range has two bounds. */
const MAX_BOUNDS = 2;

const DATE_TIME =
  /^(\d{4}-\d\d-(\d\d))(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+ -])([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

export const DATETIME_UTC = dateBounds('datetime_utc', false);
export const DATETIME_LOCAL = dateBounds('datetime_local', true);

/** The bounds that an argument and its suffixes (`.gt`, `.lte`, …) set. With `isLocal`, the offset of a time is ignored. */
function dateBounds(field: string, isLocal: boolean): Argument<readonly DateBound[] | undefined> {
  const comparisons = comparisonsOf(field, DESCRIPTION);
  return {
    parameters: comparisons.map(({ parameter }) => parameter),
    read: (args) => {
      const bounds: DateBound[] = [];
      for (const { name, operator } of comparisons) {
        for (const at of args.values(name, EXPECTED, (text) => instantOf(text, isLocal))) bounds.push({ operator, at });
      }
      if (bounds.length > MAX_BOUNDS) args.report(field, `may be used up to ${MAX_BOUNDS} times`);
      return bounds.length > 0 ? bounds : undefined;
    },
  };
}

/**
 * Returns milliseconds since the epoch. A date means its midnight, and a time without an offset is UTC. The offset of a local time is
 * ignored, because the clock at the venue counts.
 */
export function instantOf(text: string, isLocal: boolean): number | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, date = '', day, hour = '00', minute = '00', second = '00', fraction = ''] = match;
  const instant = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(instant) || new Date(instant).getUTCDate() !== Number(day)) return undefined;
  return isLocal ? instant : instant - offsetOf(match);
}

// The plus sign of an offset arrives as a blank when the client did not encode it.
function offsetOf([, , , , , , , , sign, hours = '0', minutes = '0']: RegExpExecArray): number {
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
