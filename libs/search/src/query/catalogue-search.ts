import type { EventSearch } from './event-search.js';
import type { Found } from './paging.js';
import type { PerformerSearch } from './performer-search.js';
import type { VenueSearch } from './venue-search.js';
import type { WireDocument } from './wire-document.js';

/** All that discovery reads of the catalogue, as it stands in the database at the moment of the call. */
export abstract class CatalogueSearch {
  abstract events(search: EventSearch): Promise<Found>;
  abstract performers(search: PerformerSearch): Promise<Found>;
  abstract venues(search: VenueSearch): Promise<Found>;
  /** All documents, by growing id. */
  abstract taxonomies(): Promise<readonly WireDocument[]>;
  /** All documents, by growing id. */
  abstract genres(): Promise<readonly WireDocument[]>;
  /** The JSON text of one document. */
  abstract one(kind: 'event' | 'performer' | 'venue', id: number): Promise<string | undefined>;
}
