import { CATALOGUE_LINES, type CatalogueLine } from '#contracts/backoffice/catalogue';

/**
 * The line of an event that takes place at another time.
 * @param document as discovery sends it
 * @param datetimeLocal the new start at the venue; undefined if it is not known yet
 */
export function postponedEvent(document: string, datetimeLocal: string | undefined): CatalogueLine<'events'> {
  const event = CATALOGUE_LINES.events.parse(JSON.parse(document));
  if (datetimeLocal === undefined) return { ...event, date_tbd: true, time_tbd: true, datetime_tbd: true };
  const known = { date_tbd: false, time_tbd: false, datetime_tbd: false };
  // The catalogue knows no time zones, only this distance.
  const offsetMs = msOf(event.datetime_utc) - msOf(event.datetime_local);
  const datetimeUtc = new Date(msOf(datetimeLocal) + offsetMs).toISOString().slice(0, 19);
  // The visible time follows from the start.
  return { ...event, ...known, datetime_local: datetimeLocal, datetime_utc: datetimeUtc, visible_until: null };
}

const msOf = (dateTime: string): number => Date.parse(`${dateTime}Z`);
