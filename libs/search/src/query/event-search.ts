import type { DateBound, Operator, TaxonomyFilter, VenueFilter } from './filters.js';
import type { Paging } from './paging.js';
import type { Near } from './place.js';
import type { Sort } from './sort.js';

/** In what role a performer takes part. */
export type Specificity = 'any' | 'primary' | 'home_team' | 'away_team';

/** Somebody with one of these ids, or with this slug, takes part in that role. */
export type PerformerClause = Readonly<{ specificity: Specificity }> &
  (Readonly<{ ids: readonly number[] }> | Readonly<{ slug: string }>);

export const COUNTED_FIELDS = ['listing_count', 'average_price', 'lowest_price', 'highest_price'] as const;
export type CountedField = (typeof COUNTED_FIELDS)[number];

/** Null in the event matches no bound. Prices in whole units, as in the document. */
export type NumberBound = Readonly<{ field: CountedField; operator: Operator; value: number }>;

/** What is given must all match. */
export type EventSearch = Paging &
  Readonly<{
    /** When given, all below but `visibleAt` and `sort` is ignored. */
    ids?: readonly number[] | undefined;
    /** Each clause must be met: repeated slugs are several clauses, ids that are alternatives are one. */
    performers?: readonly PerformerClause[] | undefined;
    /** `q` as in a search for venues. */
    venue?: (VenueFilter & Readonly<{ q?: string | undefined }>) | undefined;
    datetimeUtc?: readonly DateBound[] | undefined;
    datetimeLocal?: readonly DateBound[] | undefined;
    taxonomies?: TaxonomyFilter | undefined;
    types?: readonly string[] | undefined;
    numbers?: readonly NumberBound[] | undefined;
    q?: string | undefined;
    near?: Near | undefined;
    /** Leaves out what is no longer to be shown at this time (DISCOVERY_PAST_EVENTS=hide): milliseconds since 1970. */
    visibleAt?: number | undefined;
    /** Unless given: with `q` the best match first, else `datetime_utc.asc`. */
    sort?: Sort | undefined;
  }>;
