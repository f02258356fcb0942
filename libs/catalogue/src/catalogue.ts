import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Clock } from '#runtime/clock';
import type { CatalogueKind, CatalogueLine } from '#contracts/backoffice/catalogue';
import { postponedEvent } from './postponed-event.js';
import { wireDocument } from './wire-document-sql.js';
import { writeEvents } from './writing/events.js';
import { type Batch, batchOf, type LineError } from './writing/batch.js';
import { writeGenres, writeVenues } from './writing/genres-and-venues.js';
import { writePerformers } from './writing/performers.js';
import { performersOf, type Removal, remove } from './writing/removal.js';
import { writeTaxonomies } from './writing/taxonomies.js';
import { withCatalogueLock } from './writing/catalogue-lock.js';
import { refreshAllUpcoming, refreshUpcoming } from './writing/upcoming.js';

type Writers = {
  [Kind in CatalogueKind]: (client: ClientBase, batch: Batch<CatalogueLine<Kind>>) => Promise<LineError[]>;
};

const WRITERS: Writers = {
  taxonomies: writeTaxonomies,
  genres: writeGenres,
  venues: writeVenues,
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
    return withCatalogueLock(this.pool, async (client) => {
      const before = kind === 'events' ? await performersOf(client, [line.id]) : [];
      const [error] = await WRITERS[kind](client, batchOf([line]));
      const after = kind === 'events' ? await performersOf(client, [line.id]) : [];
      const now = this.clock.iso();
      await refreshUpcoming(client, now, kind === 'performers' ? [line.id] : [...new Set([...before, ...after])]);
      return error?.message;
    });
  }

  /** The JSON text of a document, as discovery sends it. */
  async find(kind: CatalogueKind, id: number): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ document: string }>(
      `select ${wireDocument(kind)} as document from discovery_${kind} where id = $1`,
      [id],
    );
    return rows[0]?.document;
  }

  /** Moves an event to another time. An id that is not in the catalogue changes nothing. @see postponedEvent */
  async postpone(eventId: string, datetimeLocal: string | undefined): Promise<void> {
    const document = /^\d{1,9}$/.test(eventId) ? await this.find('events', Number(eventId)) : undefined;
    if (document === undefined) return;
    const error = await this.put('events', postponedEvent(document, datetimeLocal));
    if (error !== undefined) throw new Error(`The event could not be moved: ${error}`);
  }

  /** Removes a document unless others refer to it. */
  remove(kind: CatalogueKind, id: number): Promise<Removal> {
    return withCatalogueLock(this.pool, (client) => remove(client, kind, id, this.clock.iso()));
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
