import type { EventSearch } from '#search/query/event-search';
import type { PerformerSearch } from '#search/query/performer-search';
import type { VenueSearch } from '#search/query/venue-search';
import type { ArgumentReader } from './argument-reader.js';
import { readDateBounds } from './date-argument.js';
import { readGenres, readTaxonomies, readTypes, readVenue } from './filter-arguments.js';
import { readNumberBounds } from './number-argument.js';
import { readPaging, readSort } from './page-arguments.js';
import { readPerformerClauses } from './performer-clauses.js';

/** `id` overrides all arguments that are not of the whole API: those are not even read. */
export function readEventSearch(args: ArgumentReader): EventSearch {
  const page = { ...readPaging(args), sort: readSort(args) };
  if (args.has('id')) return { ...page, ids: args.ids('id') };
  return {
    ...page,
    performers: readPerformerClauses(args),
    venue: readVenueOfEvent(args),
    datetimeUtc: readDateBounds(args, 'datetime_utc'),
    datetimeLocal: readDateBounds(args, 'datetime_local'),
    taxonomies: readTaxonomies(args),
    types: readTypes(args),
    numbers: readNumberBounds(args),
    q: args.text('q'),
  };
}

/** All by which venues are searched. */
function readVenueOfEvent(args: ArgumentReader): EventSearch['venue'] {
  const [filter, q] = [readVenue(args, 'venue.'), args.text('venue.q')];
  return q === undefined ? filter : { ...filter, q };
}

export function readPerformerSearch(args: ArgumentReader): PerformerSearch {
  const page = { ...readPaging(args), sort: readSort(args) };
  if (args.has('id')) return { ...page, ids: args.ids('id') };
  return {
    ...page,
    slugs: args.list('slug')?.map((slug) => slug.toLowerCase()),
    types: readTypes(args),
    taxonomies: readTaxonomies(args),
    genres: readGenres(args),
    q: args.text('q'),
  };
}

export function readVenueSearch(args: ArgumentReader): VenueSearch {
  const page = { ...readPaging(args), sort: readSort(args) };
  if (args.has('id')) return { ...page, ids: args.ids('id') };
  return { ...page, ...readVenue(args, ''), q: args.text('q') };
}
