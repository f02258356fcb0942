import type { EventSearch } from './event-search.js';
import type { TaxonomyFilter } from './filters.js';
import type { Found, Paging } from './paging.js';
import type { PerformerSearch } from './performer-search.js';
import type { VenueSearch } from './venue-search.js';

/** All that discovery reads of the catalogue, as it stands in the database at the moment of the call. */
export abstract class CatalogueSearch {
  abstract events(search: EventSearch): Promise<Found>;
  abstract performers(search: PerformerSearch): Promise<Found>;
  abstract venues(search: VenueSearch): Promise<Found>;
  /** By growing id; without paging all of them. */
  abstract taxonomies(search: TaxonomyFilter & Partial<Paging>): Promise<Found>;
  /** By growing id; without paging all of them. */
  abstract genres(
    search: Readonly<{ ids?: readonly number[]; slugs?: readonly string[] }> & Partial<Paging>,
  ): Promise<Found>;
  /** The JSON text of one document. */
  abstract one(kind: 'event' | 'performer' | 'venue', id: number): Promise<string | undefined>;
}
