import type { TaxonomyFilter, VenueFilter } from '#catalogue/search/filters';
import type { ArgumentReader } from './argument-reader.js';

/** Not names: whoever asks for `taxonomies.name=mlb&taxonomies.id=…` gets both. */
export function readTaxonomies(args: ArgumentReader): TaxonomyFilter | undefined {
  return someOf({
    ids: args.ids('taxonomies.id'),
    names: args.list('taxonomies.name')?.map((name) => name.toLowerCase()),
    // Clients write nothing for the parent of a taxonomy that has none.
    parentIds: args.list('taxonomies.parent_id') && args.ids('taxonomies.parent_id'),
  });
}

/** Cities and names hold commas, codes and slugs do not. */
export function readVenue(args: ArgumentReader, prefix: 'venue.' | ''): VenueFilter | undefined {
  return someOf({
    ids: args.ids(`${prefix}id`),
    cities: args.texts(`${prefix}city`),
    states: args.list(`${prefix}state`),
    countries: args.list(`${prefix}country`),
    postalCodes: args.list(`${prefix}postal_code`),
    names: args.texts(`${prefix}name`),
    slugs: args.list(`${prefix}slug`),
  });
}

/** `genres.slug`, and `genres[primary].slug` for a performer's first genre; each is a condition of its own. */
export function readGenres(args: ArgumentReader): readonly Readonly<{ slug: string; primary: boolean }>[] | undefined {
  const named = (name: string, primary: boolean) =>
    Array.from(new Set(args.list(name)), (slug) => ({ slug: slug.toLowerCase(), primary }));
  const genres = [...named('genres.slug', false), ...named('genres[primary].slug', true)];
  return genres.length > 0 ? genres : undefined;
}

/** Types are lower case in the catalogue. */
export function readTypes(args: ArgumentReader): readonly string[] | undefined {
  return args.list('type')?.map((type) => type.toLowerCase());
}

function someOf<T extends object>(filter: T): T | undefined {
  return Object.values(filter).some((value) => value !== undefined) ? filter : undefined;
}
