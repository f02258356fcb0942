import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Clock } from '#base/clock';
import type { CatalogueKind, CatalogueLine } from './catalogue.contract.js';
import { catalogueIdOf } from './catalogue-id.js';
import { changedEvent, type EventChange } from './catalogue/changed-event.js';
import { utcOf } from './local-time.js';
import { wireDocument } from './catalogue/wire-document-sql.js';
import { writeEvents } from './catalogue/writing/events.js';
import { type Batch, batchOf, type LineError } from './catalogue/writing/batch.js';
import { writeGenres } from './catalogue/writing/genres-and-venues.js';
import { timeZonesOf } from './catalogue/writing/time-zones-of.js';
import { writePerformers } from './catalogue/writing/performers.js';
import { performersOf, type Removal, remove } from './catalogue/writing/removal.js';
import { writeTaxonomies } from './catalogue/writing/taxonomies.js';
import { writeVenuesWithEvents } from './catalogue/venues-with-events.js';
import { lockCatalogue, withCatalogueLock } from './catalogue/writing/catalogue-lock.js';
import { refreshAllUpcoming, refreshUpcoming } from './catalogue/writing/upcoming.js';

type Writers = {
  [Kind in CatalogueKind]: (client: ClientBase, batch: Batch<CatalogueLine<Kind>>) => Promise<LineError[]>;
};

const WRITERS: Writers = {
  taxonomies: writeTaxonomies,
  genres: writeGenres,
  venues: writeVenuesWithEvents,
  performers: writePerformers,
  events: writeEvents,
};

/** Writes the catalogue. A change of a document also updates the documents that embed it. */
@Injectable()
export class Catalogue {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes the valid lines in one transaction and returns the errors of the others. Of two lines with one id the later one wins.
   */
  write<Kind extends CatalogueKind>(kind: Kind, lines: readonly CatalogueLine<Kind>[]): Promise<LineError[]> {
    return withCatalogueLock(this.pool, (client) => WRITERS[kind](client, batchOf(lines)));
  }

  /** Creates or replaces a document. Returns a message if it is invalid. */
  put<Kind extends CatalogueKind>(kind: Kind, line: CatalogueLine<Kind>): Promise<string | undefined> {
    return withCatalogueLock(this.pool, (client) => this.putLocked(client, kind, line));
  }

  private async putLocked<Kind extends CatalogueKind>(client: ClientBase, kind: Kind, line: CatalogueLine<Kind>) {
    const before = kind === 'events' ? await performersOf(client, [line.id]) : [];
    const [error] = await WRITERS[kind](client, batchOf([line]));
    const after = kind === 'events' ? await performersOf(client, [line.id]) : [];
    const now = this.clock.iso();
    await refreshUpcoming(client, now, kind === 'performers' ? [line.id] : [...new Set([...before, ...after])]);
    return error?.message;
  }

  /** The JSON text of a document, as discovery sends it. */
  async find(kind: CatalogueKind, id: number, client?: ClientBase): Promise<string | undefined> {
    const { rows } = await (client ?? this.pool).query<{ document: string }>(
      `select ${wireDocument(kind)} as document from discovery_${kind} where id = $1`,
      [id],
    );
    return rows[0]?.document;
  }

  /** Changes an event within a transaction. An id that is not in the catalogue changes nothing. @see changedEvent */
  async changeEvent(client: ClientBase, eventId: string, change: EventChange): Promise<void> {
    const id = catalogueIdOf(eventId);
    if (id === undefined) return;
    await lockCatalogue(client);
    const document = await this.find('events', id, client);
    if (document === undefined) return;
    const toUtc = await this.clockOf(client, id, change);
    const error = await this.putLocked(client, 'events', changedEvent(document, change, toUtc));
    if (error !== undefined) throw new Error(`The event could not be changed: ${error}`);
  }

  /** How the clock of the venue goes at which the event will take place. */
  private async clockOf(client: ClientBase, id: number, { start, venueId }: EventChange) {
    const { rows } = await client.query<{ venue_id: number; ms: number }>(UTC_DISTANCE, [
      venueId ?? null,
      start ?? null,
      id,
    ]);
    const { venue_id: venue = 0, ms = 0 } = rows[0] ?? {};
    const timeZone = (await timeZonesOf(client, [venue])).get(venue);
    return (localMs: number) => (timeZone === undefined ? localMs + ms : utcOf(localMs, timeZone));
  }

  /** Removes a document unless others refer to it. */
  remove(kind: CatalogueKind, id: number): Promise<Removal> {
    return withCatalogueLock(this.pool, (client) => remove(client, kind, id, this.clock.iso()));
  }

  /** The same for many, in one transaction. Returns how many went. */
  removeAll(kind: CatalogueKind, ids: readonly number[]): Promise<number> {
    return withCatalogueLock(this.pool, async (client) => {
      let removed = 0;
      for (const id of ids) if ((await remove(client, kind, id, this.clock.iso())) === 'removed') removed += 1;
      return removed;
    });
  }

  /** `has_upcoming_events` of performers changes with time, and after many events were written. */
  refreshUpcoming(): Promise<void> {
    return refreshAllUpcoming(this.pool, this.clock.iso());
  }

  async hasEvents(): Promise<boolean> {
    const { rowCount } = await this.pool.query('select 1 from discovery_events limit 1');
    return rowCount !== 0;
  }
}

// For venues without a time zone and without coordinates. Other events of the venue show how far its clock is from UTC: the one nearest in
// time, so that summer time is taken from a summer. Without one, an event of the same state does, or else the event itself.
const UTC_DISTANCE = `
  with wanted as (
    select e.id, place.id as venue_id, place.state, place.country, e.venue_id <> place.id as is_moved,
      e.datetime_utc - e.datetime_local as own, coalesce($2::timestamp, e.datetime_local) as at
    from discovery_events e join discovery_venues place on place.id = coalesce($1::bigint, e.venue_id) where e.id = $3)
  select venue_id, (extract(epoch from coalesce(
    (select e.datetime_utc - e.datetime_local from discovery_events e
     where e.venue_id = wanted.venue_id and not (is_moved and e.id = wanted.id)
     order by abs(extract(epoch from e.datetime_local - wanted.at)), e.id limit 1),
    (select e.datetime_utc - e.datetime_local from discovery_events e join discovery_venues v on v.id = e.venue_id
     where v.state = wanted.state and v.country = wanted.country
     order by abs(extract(epoch from e.datetime_local - wanted.at)), e.id limit 1),
    own)) * 1000)::float8 as ms
  from wanted`;
