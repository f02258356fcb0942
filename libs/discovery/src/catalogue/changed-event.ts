import { CATALOGUE_LINES, type CatalogueLine } from '../catalogue.contract.js';
import { parseJson } from '#base/json';

/** `start` is the venue's wall clock without a zone. Null: the date is to be announced. Without it, the date stays. */
export type EventChange = Readonly<{ start?: string | null; venueId?: number }>;

/**
 * The line of an event that takes place at another time or at another venue.
 * @param document as discovery sends it
 * @param toUtc the moment of a local time at its venue, both in milliseconds
 */
export function changedEvent(
  document: string,
  change: EventChange,
  toUtc: (localMs: number) => number,
): CatalogueLine<'events'> {
  const given = CATALOGUE_LINES.events.parse(parseJson(document));
  const event = change.venueId === undefined ? given : { ...given, venue: { id: change.venueId } };
  // The visible time follows from the start.
  const moved = { ...event, visible_until: null };
  if (change.start === null) return { ...moved, date_tbd: true, time_tbd: true, datetime_tbd: true };
  const known = change.start === undefined ? {} : { date_tbd: false, time_tbd: false, datetime_tbd: false };
  const datetimeLocal = change.start === undefined ? event.datetime_local : change.start;
  const datetimeUtc = new Date(toUtc(msOf(datetimeLocal))).toISOString().slice(0, 19);
  return { ...moved, ...known, datetime_local: datetimeLocal, datetime_utc: datetimeUtc };
}

const msOf = (dateTime: string): number => Date.parse(`${dateTime}Z`);
