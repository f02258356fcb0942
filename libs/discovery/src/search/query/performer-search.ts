import type { TaxonomyFilter } from './filters.js';
import type { Paging } from './paging.js';
import type { Sort } from './sort.js';

/** All given conditions must match. Each list holds alternatives, except `genres`. */
export type PerformerSearch = Paging &
  Readonly<{
    /** If given, everything below except `sort` is ignored. */
    ids?: readonly number[] | undefined;
    slugs?: readonly string[] | undefined;
    types?: readonly string[] | undefined;
    taxonomies?: TaxonomyFilter | undefined;
    /** Each must be a genre of the performer, with `primary` its first one. */
    genres?: readonly Readonly<{ slug: string; primary: boolean }>[] | undefined;
    q?: string | undefined;
    /** Default: relevance with `q`, else `score.desc`. */
    sort?: Sort | undefined;
  }>;
