import type { TaxonomyFilter, VenueFilter } from '#search/query/filters';
import type { ArgumentReader } from './argument-reader.js';

/** Alternatives: whoever asks for `taxonomies.name=mlb&taxonomies.id=…` gets both. */
export function readTaxonomies(args: ArgumentReader): TaxonomyFilter | undefined {
  return someOf({
    ids: args.ids('taxonomies.id'),
    names: args.list('taxonomies.name')?.map((name) => name.toLowerCase()),
    // Clients write nothing for the parent of a taxonomy that has none.
    parentIds: args.list('taxonomies.parent_id') && args.ids('taxonomies.parent_id'),
  });
}

export function readVenue(args: ArgumentReader, prefix: 'venue.' | ''): VenueFilter | undefined {
  return someOf({
    ids: args.ids(`${prefix}id`),
    cities: namesOf(args, `${prefix}city`),
    states: args.list(`${prefix}state`),
    countries: args.list(`${prefix}country`),
    postalCodes: args.list(`${prefix}postal_code`),
    names: namesOf(args, `${prefix}name`),
    slugs: args.list(`${prefix}slug`),
  });
}

/** Cities and names may hold a comma, or be separated by it: each is looked for as a whole and in its parts. */
function namesOf(args: ArgumentReader, name: string): readonly string[] | undefined {
  const texts = args.texts(name);
  return texts && [...texts.filter((text) => text.includes(',')), ...(args.list(name) ?? [])];
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
