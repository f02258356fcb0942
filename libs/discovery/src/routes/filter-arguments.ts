import type { TaxonomyFilter, VenueFilter } from '../search/query/filters.js';
import { orRepeated, type Argument, argument, ids, list, optionalGroup, text, words } from './argument.js';

export const Q = text('q', 'free text over all parts of a document; also a slug');

export const ID = ids('id', 'ids; other filters are then ignored');

export const TAXONOMY_IDS = ids('taxonomies.id', 'of this taxonomy or one below it');
export const TAXONOMY_NAMES = words('taxonomies.name', orRepeated('the same by name'));

/** The three lists are alternatives: `taxonomies.name=mlb&taxonomies.id=…` finds events of either. */
export const TAXONOMIES: Argument<TaxonomyFilter | undefined> = optionalGroup({
  ids: TAXONOMY_IDS,
  names: TAXONOMY_NAMES,
  // Clients send an empty value for a taxonomy without a parent.
  parentIds: argument(
    'taxonomies.parent_id',
    orRepeated('of a taxonomy below this one'),
    (args, name) => args.list(name) && args.ids(name),
  ),
});

const venueFields = (prefix: 'venue.' | '') => ({
  cities: names(`${prefix}city`, 'without regard to case and accents'),
  states: list(`${prefix}state`, 'two letters'),
  countries: list(`${prefix}country`, 'two letters'),
  postalCodes: list(`${prefix}postal_code`, 'postal code'),
  names: names(`${prefix}name`, 'the whole name'),
  slugs: list(`${prefix}slug`, 'last part of its address'),
});

/** The filters of a search for venues. */
export const VENUE = venueFields('');

/** The same filters on the venue of an event. */
export const VENUE_OF_EVENT: Argument<(VenueFilter & Readonly<{ q?: string | undefined }>) | undefined> = optionalGroup(
  {
    ids: ids('venue.id', 'at one of these venues'),
    ...venueFields('venue.'),
    q: text('venue.q', 'free text over the venue'),
  },
);

/** A city or a name can contain a comma, and commas also separate values. So the whole text and its parts are all alternatives. */
function names(name: string, description: string): Argument<readonly string[] | undefined> {
  return argument(name, description, (args) => {
    const texts = args.texts(name);
    return texts && [...texts.filter((entry) => entry.includes(',')), ...(args.list(name) ?? [])];
  });
}

const GENRE = list('genres.slug', 'among its genres; repeated: all of them');
const PRIMARY_GENRE = list('genres[primary].slug', 'as a primary genre');

/** `genres.slug`, and `genres[primary].slug` for a performer's primary genre. Each one is a condition of its own. */
export const GENRES: Argument<readonly Readonly<{ slug: string; primary: boolean }>[] | undefined> = {
  parameters: [...GENRE.parameters, ...PRIMARY_GENRE.parameters],
  read: (args) => {
    const conditions = (slugs: readonly string[] | undefined, primary: boolean) =>
      Array.from(new Set(slugs), (slug) => ({ slug: slug.toLowerCase(), primary }));
    const genres = [...conditions(GENRE.read(args), false), ...conditions(PRIMARY_GENRE.read(args), true)];
    return genres.length > 0 ? genres : undefined;
  },
};
