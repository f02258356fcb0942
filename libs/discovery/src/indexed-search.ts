import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ReplicaPool } from '#database/replica-pool';
import { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { CatalogueIndex } from './search/columns/catalogue-index.js';
import { withSafeAddresses } from './catalogue/safe-addresses.js';
import { CatalogueSearch } from './catalogue-search.js';
import type { EventSearch } from './search/query/event-search.js';
import { EntityEngine } from './search/engine/entity-engine.js';
import { EventEngine, type MatchingIds } from './search/engine/event-engine.js';
import { RecentAnswers } from './search/answers/recent-answers.js';
import type { SearchResult } from './search/query/paging.js';
import type { PerformerSearch } from './search/query/performer-search.js';
import { Documents } from './search/answers/documents.js';
import { IndexFollower } from './search/indexing/index-follower.js';
import type { IndexedKind } from './search/indexing/row-queries.js';
import type { VenueSearch } from './search/query/venue-search.js';
import { WireDocument } from './search/query/wire-document.js';

const KINDS = { event: 'events', performer: 'performers', venue: 'venues' } as const;

/** The in-memory index follows the database. The documents are read by primary key. */
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
    replica: ReplicaPool = new ReplicaPool(pool),
  ) {
    super();
    this.documents = new Documents(replica, settings.PUBLIC_URL);
    this.follower = new IndexFollower({ primary: pool, replica }, this.index, ({ kind, id }) =>
      this.documents.invalidate(kind, id),
    );
  }

  /** Call this after the database was restored: transaction numbers, which order the changes, start again from an earlier value. */
  reset(): void {
    this.follower.reset();
    this.documents.invalidate('everything', 0);
  }

  warm(): Promise<void> {
    return this.follower.current();
  }

  /** Includes everything that was committed before the call. It may change during any later `await` of the caller. */
  async current(): Promise<CatalogueIndex> {
    await this.follower.current();
    return this.index;
  }

  eventDocuments(ids: readonly number[]): Promise<ReadonlyMap<number, WireDocument>> {
    return this.documents.find('events', ids);
  }

  async events(search: EventSearch): Promise<SearchResult> {
    await this.follower.current();
    const now = this.clock.now();
    const { generation } = this.follower;
    return this.toResult(
      'events',
      this.recent.find(search, generation, now, () => this.eventEngine.find(this.withVenues(search), now)),
    );
  }

  async performers(search: PerformerSearch): Promise<SearchResult> {
    await this.follower.current();
    return this.toResult('performers', this.entities.performers(search));
  }

  async venues(search: VenueSearch): Promise<SearchResult> {
    await this.follower.current();
    return this.toResult('venues', this.entities.venues(search));
  }

  async taxonomies(): Promise<readonly WireDocument[]> {
    await this.follower.current();
    return Array.from(this.index.taxonomies.all(), ({ document }) => WireDocument.of(document));
  }

  async genres(): Promise<readonly WireDocument[]> {
    await this.follower.current();
    return this.index.genres.map(({ document }) => WireDocument.of(withSafeAddresses(document)));
  }

  one(kind: keyof typeof KINDS, id: number): Promise<string | undefined> {
    return this.documents.one(KINDS[kind], id);
  }

  /** Replaces `venue.q` with the ids of the venues that match it. */
  private withVenues(search: EventSearch): EventSearch {
    const { q, ids: requested, ...filter } = search.venue ?? {};
    if (q === undefined) return search;
    const { ids } = this.entities.venues({ ...filter, q, page: 1, perPage: this.index.venues.slots.limit + 1 });
    return { ...search, venue: { ids: requested ? ids.filter((id) => requested.includes(id)) : ids } };
  }

  private async toResult(kind: IndexedKind, { total, ids }: MatchingIds): Promise<SearchResult> {
    return { total, documents: await this.documents.read(kind, ids) };
  }
}
