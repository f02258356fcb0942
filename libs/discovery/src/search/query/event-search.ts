import type { DateBound, Operator, TaxonomyFilter, VenueFilter } from './filters.js';
import type { Paging } from './paging.js';
import type { Near } from './place.js';
import type { Sort } from './sort.js';

export type Specificity = 'any' | 'primary' | 'home_team' | 'away_team';

/** Matches events in which a performer with one of these ids, or with this slug, has this role. */
export type PerformerClause = Readonly<{ specificity: Specificity }> &
  (Readonly<{ ids: readonly number[] }> | Readonly<{ slug: string }>);

export const COUNTED_FIELDS = ['listing_count', 'average_price', 'lowest_price', 'highest_price'] as const;
export type CountedField = (typeof COUNTED_FIELDS)[number];

/** A null value matches no bound. Prices are in whole units of the currency, as in the document. */
export type NumberBound = Readonly<{ field: CountedField; operator: Operator; value: number }>;

/** All given conditions must match. */
export type EventSearch = Paging &
  Readonly<{
    /** If given, everything below except `visibleAt` and `sort` is ignored. */
    ids?: readonly number[] | undefined;
    /** Every clause must match. Repeated slugs are separate clauses; alternative ids are one clause. */
    performers?: readonly PerformerClause[] | undefined;
    /** `q` works as in a venue search. */
    venue?: (VenueFilter & Readonly<{ q?: string | undefined }>) | undefined;
    datetimeUtc?: readonly DateBound[] | undefined;
    datetimeLocal?: readonly DateBound[] | undefined;
    taxonomies?: TaxonomyFilter | undefined;
    types?: readonly string[] | undefined;
    numbers?: readonly NumberBound[] | undefined;
    q?: string | undefined;
    near?: Near | undefined;
    /** Excludes events that are no longer visible at this time (DISCOVERY_PAST_EVENTS=hide), in milliseconds since 1970. */
    visibleAt?: number | undefined;
    /** Default: relevance with `q`, else `datetime_utc.asc`. */
    sort?: Sort | undefined;
  }>;
