import type { ClientBase } from 'pg';
import type { CatalogueLine } from '../catalogue.contract.js';
import { changedEvent } from './changed-event.js';
import { utcOf } from '../local-time.js';
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
  for (const [id, zone] of after) {
    if (before.get(id) === zone) continue;
    const { rows } = await client.query<{ document: string }>(
      `select ${wireDocument('events')} as document from discovery_events where venue_id = $1`,
      [id],
    );
    const events = rows.map(({ document }) => changedEvent(document, {}, (localMs) => utcOf(localMs, zone)));
    await writeEvents(client, batchOf(events));
  }
  return errors;
}
