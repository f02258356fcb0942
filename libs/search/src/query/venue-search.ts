import type { VenueFilter } from './filters.js';
import type { Paging } from './paging.js';
import type { Near } from './place.js';
import type { Sort } from './sort.js';

/** What is given must all match. */
export type VenueSearch = Paging &
  VenueFilter &
  Readonly<{
    /** `ids`, when given, overrides all but `sort`. */
    q?: string | undefined;
    near?: Near | undefined;
    /** Unless given: with `q` the best match first, else `score.desc`. */
    sort?: Sort | undefined;
  }>;
