import type { EventSearch } from '../search/query/event-search.js';
import type { PerformerSearch } from '../search/query/performer-search.js';
import type { VenueSearch } from '../search/query/venue-search.js';
import { orRepeated, type Argument, group, parametersOf, words } from './argument.js';
import type { ArgumentReader } from './argument-reader.js';
import { DATETIME_LOCAL, DATETIME_UTC } from './date-argument.js';
import { GENRES, ID, Q, TAXONOMIES, VENUE, VENUE_OF_EVENT } from './filter-arguments.js';
import { NUMBER_BOUNDS } from './number-argument.js';
import { PAGING, sorting } from './page-arguments.js';
import { PERFORMERS } from './performer-clauses.js';

export const EVENT_SEARCH: Argument<EventSearch> = searchBy(
  group({
    performers: PERFORMERS,
    venue: VENUE_OF_EVENT,
    datetimeUtc: DATETIME_UTC,
    datetimeLocal: DATETIME_LOCAL,
    taxonomies: TAXONOMIES,
    types: words('type', orRepeated('type of event')),
    numbers: NUMBER_BOUNDS,
    q: Q,
  }),
  'the best match of q first, or else datetime_utc.asc',
);

export const PERFORMER_SEARCH: Argument<PerformerSearch> = searchBy(
  group({
    slugs: words('slug', 'the whole slug'),
    types: words('type', orRepeated('type of performer')),
    taxonomies: TAXONOMIES,
    genres: GENRES,
    q: Q,
  }),
  'the best match of q first, or else score.desc',
);

export const VENUE_SEARCH: Argument<VenueSearch> = searchBy(
  group({ ...VENUE, q: Q }),
  'the best match of q first, or else score.desc',
);

/** `id` overrides all filters, so they are not read. */
function searchBy<T extends object>(filters: Argument<T>, sortedWithout: string) {
  const sort = sorting(sortedWithout);
  return {
    parameters: parametersOf([Q, ID, filters, PAGING, sort]),
    read: (args: ArgumentReader) => {
      const page = { ...PAGING.read(args), sort: sort.read(args) };
      return args.has('id') ? { ...page, ids: ID.read(args) } : { ...page, ...filters.read(args) };
    },
  };
}
