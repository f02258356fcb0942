import type { TaxonomyFilter } from './filters.js';
import type { Paging } from './paging.js';
import type { Sort } from './sort.js';

/** What is given must all match; a list is of alternatives unless it says otherwise. */
export type PerformerSearch = Paging &
  Readonly<{
    /** When given, all below but `sort` is ignored. */
    ids?: readonly number[] | undefined;
    slugs?: readonly string[] | undefined;
    types?: readonly string[] | undefined;
    taxonomies?: TaxonomyFilter | undefined;
    /** Each must be among the performer's genres, as its first one where `primary` says so. */
    genres?: readonly Readonly<{ slug: string; primary: boolean }>[] | undefined;
    q?: string | undefined;
    /** Unless given: with `q` the best match first, else `score.desc`. */
    sort?: Sort | undefined;
  }>;
