import type { EventSearch } from './search/query/event-search.js';
import type { SearchResult } from './search/query/paging.js';
import type { PerformerSearch } from './search/query/performer-search.js';
import type { VenueSearch } from './search/query/venue-search.js';
import type { WireDocument } from './search/query/wire-document.js';

/** With everything that was committed before the call. */
export abstract class CatalogueSearch {
  abstract events(search: EventSearch): Promise<SearchResult>;
  abstract performers(search: PerformerSearch): Promise<SearchResult>;
  abstract venues(search: VenueSearch): Promise<SearchResult>;
  abstract taxonomies(): Promise<readonly WireDocument[]>;
  abstract genres(): Promise<readonly WireDocument[]>;
  abstract one(kind: 'event' | 'performer' | 'venue', id: number): Promise<string | undefined>;
}
