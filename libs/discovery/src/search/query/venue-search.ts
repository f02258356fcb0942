import type { VenueFilter } from './filters.js';
import type { Paging } from './paging.js';
import type { Near } from './place.js';
import type { Sort } from './sort.js';

/** All given conditions must match. */
export type VenueSearch = Paging &
  VenueFilter &
  Readonly<{
    /** If `ids` is given, only `sort` applies besides it. */
    q?: string | undefined;
    near?: Near | undefined;
    /** Default: relevance with `q`, else `score.desc`. */
    sort?: Sort | undefined;
  }>;
