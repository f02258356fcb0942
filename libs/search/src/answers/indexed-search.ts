import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { Settings } from '#config/settings';
import { CatalogueIndex } from '../columns/catalogue-index.js';
import { CatalogueSearch } from '../query/catalogue-search.js';
import type { EventSearch } from '../query/event-search.js';
import { EntityEngine } from '../engine/entity-engine.js';
import { EventEngine, type FoundIds } from '../engine/event-engine.js';
import { RecentAnswers } from './recent-answers.js';
import type { Found } from '../query/paging.js';
import type { PerformerSearch } from '../query/performer-search.js';
import { Documents } from './documents.js';
import { IndexFollower } from '../indexing/index-follower.js';
import type { IndexedKind } from '../indexing/row-queries.js';
import type { VenueSearch } from '../query/venue-search.js';
import { WireDocument } from '../query/wire-document.js';

const KINDS = { event: 'events', performer: 'performers', venue: 'venues' } as const;

/** Searches an index in memory that follows the database, and reads documents by primary key. */
@Injectable()
export class IndexedSearch extends CatalogueSearch {
  private readonly index = new CatalogueIndex();
  private readonly eventEngine = new EventEngine(this.index);
  private readonly entities = new EntityEngine(this.index);
  private readonly recent = new RecentAnswers();
  private readonly documents: Documents;
  private readonly follower: IndexFollower;

  constructor(
    pool: Pool,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    super();
    this.documents = new Documents(pool, settings.PUBLIC_URL);
    this.follower = new IndexFollower(pool, this.index, ({ kind, id }) => this.documents.forget(kind, id));
  }

  /** After the database was restored: the numbers by which changes are followed are given a second time. */
  forget(): void {
    this.follower.forget();
    this.documents.forget('everything', 0);
  }

  /** Loads the index, so that the first search need not wait for it. */
  warm(): Promise<void> {
    return this.follower.current();
  }

  /** The index with all that was committed before the call. Whoever awaits something may find it changed afterwards. */
  async current(): Promise<CatalogueIndex> {
    await this.follower.current();
    return this.index;
  }

  /** By id; those that are gone are left out. */
  eventDocuments(ids: readonly number[]): Promise<ReadonlyMap<number, WireDocument>> {
    return this.documents.find('events', ids);
  }

  async events(search: EventSearch): Promise<Found> {
    await this.follower.current();
    const now = this.clock.now();
    const { generation } = this.follower;
    return this.found(
      'events',
      this.recent.find(search, generation, now, () => this.eventEngine.find(this.withVenues(search), now)),
    );
  }

  async performers(search: PerformerSearch): Promise<Found> {
    await this.follower.current();
    return this.found('performers', this.entities.performers(search));
  }

  async venues(search: VenueSearch): Promise<Found> {
    await this.follower.current();
    return this.found('venues', this.entities.venues(search));
  }

  async taxonomies(): Promise<readonly WireDocument[]> {
    await this.follower.current();
    return Array.from(this.index.taxonomies.all(), ({ document }) => WireDocument.of(document));
  }

  async genres(): Promise<readonly WireDocument[]> {
    await this.follower.current();
    return this.index.genres.map(({ document }) => WireDocument.of(document));
  }

  one(kind: keyof typeof KINDS, id: number): Promise<string | undefined> {
    return this.documents.one(KINDS[kind], id);
  }

  /** The same with the venues that `venue.q` finds, in place of it. */
  private withVenues(search: EventSearch): EventSearch {
    const { q, ids: given, ...filter } = search.venue ?? {};
    if (q === undefined) return search;
    const { ids } = this.entities.venues({ ...filter, q, page: 1, perPage: this.index.venues.slots.limit + 1 });
    return { ...search, venue: { ids: given ? ids.filter((id) => given.includes(id)) : ids } };
  }

  private async found(kind: IndexedKind, { total, ids }: FoundIds): Promise<Found> {
    return { total, documents: await this.documents.read(kind, ids) };
  }
}
