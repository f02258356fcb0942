import type { DateBound } from './filters.js';
import type { SearchResult, Paging } from './paging.js';
import type { Near } from './place.js';

/** What the recommendations should resemble: the taste of someone who likes all of these performers, or one event. */
export type Seed = Readonly<{ performerIds: readonly number[] }> | Readonly<{ eventId: number }>;

/** All given conditions must match. `near` also raises the score of nearer events. */
export type RecommendationSearch = Paging &
  Readonly<{
    seed: Seed;
    near: Near;
    datetimeUtc?: readonly DateBound[] | undefined;
    datetimeLocal?: readonly DateBound[] | undefined;
    venueIds?: readonly number[] | undefined;
    venueSlugs?: readonly string[] | undefined;
    /** Any of these taxonomies or their descendants. Ids and names are alternatives. */
    taxonomyIds?: readonly number[] | undefined;
    taxonomyNames?: readonly string[] | undefined;
    /** As in EventSearch. */
    visibleAt?: number | undefined;
  }>;

export abstract class Recommendations {
  /** Documents `{"score":…,"event":{…}}` by descending score. The result is empty for an unknown seed. */
  abstract find(search: RecommendationSearch): Promise<SearchResult>;
}
