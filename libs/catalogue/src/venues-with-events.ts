import type { ClientBase } from 'pg';
import { CATALOGUE_LINES, type CatalogueLine } from '#contracts/backoffice/catalogue';
import { parseJson } from '#runtime/json';
import { wireDocument } from './wire-document-sql.js';
import { type Batch, batchOf, type LineError } from './writing/batch.js';
import { writeEvents } from './writing/events.js';
import { writeVenues } from './writing/genres-and-venues.js';
import { timeZonesOf } from './writing/time-zones-of.js';

/** Writes venues. Where the time zone of one has changed, the UTC times of its events follow. */
export async function writeVenuesWithEvents(
  client: ClientBase,
  batch: Batch<CatalogueLine<'venues'>>,
): Promise<LineError[]> {
  const ids = [...batch.keys()];
  const before = await timeZonesOf(client, ids);
  const errors = await writeVenues(client, batch);
  const after = await timeZonesOf(client, ids);
  const moved = ids.filter((id) => before.get(id) !== after.get(id));
  if (moved.length === 0) return errors;
  const { rows } = await client.query<{ document: string }>(
    `select ${wireDocument('events')} as document from discovery_events where venue_id = any($1)`,
    [moved],
  );
  const events = rows.map(({ document }) => CATALOGUE_LINES.events.parse(parseJson(document)));
  await writeEvents(client, batchOf(events));
  return errors;
}
