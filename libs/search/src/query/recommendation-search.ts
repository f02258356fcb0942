import type { DateBound } from './filters.js';
import type { Found, Paging } from './paging.js';
import type { Near } from './place.js';

/** What the recommendations are to be like: somebody who likes all of these performers, or this one event. */
export type Seed = Readonly<{ performerIds: readonly number[] }> | Readonly<{ eventId: number }>;

/** What is given must all match; `near` filters, and nearer is better. */
export type RecommendationSearch = Paging &
  Readonly<{
    seed: Seed;
    near: Near;
    datetimeUtc?: readonly DateBound[] | undefined;
    datetimeLocal?: readonly DateBound[] | undefined;
    /** Any of these venues. */
    venueIds?: readonly number[] | undefined;
    venueSlugs?: readonly string[] | undefined;
    /** Any of these taxonomies, or one below them; ids and names are alternatives. */
    taxonomyIds?: readonly number[] | undefined;
    taxonomyNames?: readonly string[] | undefined;
    /** As in EventSearch. */
    visibleAt?: number | undefined;
  }>;

/** What somebody with these likings would go to. */
export abstract class Recommendations {
  /** Documents `{"score":…,"event":{…}}` by falling score; none for a seed that nobody knows. */
  abstract find(search: RecommendationSearch): Promise<Found>;
}
