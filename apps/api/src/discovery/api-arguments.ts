import type { ApiQueryOptions } from '@nestjs/swagger';
import { COUNTED_FIELDS } from '#search/query/event-search';
import { SORT_FIELDS } from '#search/query/sort';
import { DOCUMENTS_A_PAGE, LAST_PAGE, MOST_A_PAGE } from './page-arguments.js';
import { DEFAULT_RANGE } from './place-arguments.js';
import { RECOMMENDATIONS_RANGE } from './recommendation-arguments.js';

type Argument = ApiQueryOptions & { name: string };

const named = (name: string, description: string, more: object = {}): Argument => ({ name, description, ...more });
const ids = (name: string, what: string): Argument =>
  named(name, `${what}; repeated or separated by commas: any of them`);

const PAGING: readonly Argument[] = [
  named('per_page', `documents a page; without it ${DOCUMENTS_A_PAGE}`, {
    schema: { type: 'integer', minimum: 1, maximum: MOST_A_PAGE },
  }),
  named('page', 'counts from 1', { schema: { type: 'integer', minimum: 1, maximum: LAST_PAGE, default: 1 } }),
];

const sorting = (without: string): Argument =>
  named('sort', `without it ${without}`, {
    enum: SORT_FIELDS.flatMap((field) => [`${field}.asc`, `${field}.desc`]),
  });

const compared = (field: string, what: string): Argument[] => [
  named(field, `exactly this ${what}`),
  ...['gt', 'gte', 'lt', 'lte'].map((operator) => named(`${field}.${operator}`, `the same compared (${operator})`)),
];

const Q = named('q', 'free text over all parts of a document; also a slug');
const ID = ids('id', 'ids; all arguments but those of every resource are then ignored');

const TAXONOMIES: readonly Argument[] = [
  ids('taxonomies.id', 'of this taxonomy or one below it'),
  ids('taxonomies.name', 'the same by name'),
  ids('taxonomies.parent_id', 'of a taxonomy below this one'),
];

const venueFields = (prefix: '' | 'venue.'): readonly Argument[] => [
  named(`${prefix}city`, 'without regard to case and accents'),
  named(`${prefix}state`, 'two letters'),
  named(`${prefix}country`, 'two letters'),
  named(`${prefix}postal_code`, 'postal code'),
  named(`${prefix}name`, 'the whole name'),
  named(`${prefix}slug`, 'last part of its address'),
];

const DATE_ARGUMENTS: readonly Argument[] = ['datetime_utc', 'datetime_local'].flatMap((field) =>
  compared(field, 'time (2026-07-04T19:30:00, or 2026-07-04 for its midnight); two bounds make a range'),
);

/** What every resource takes. */
export const ARGUMENTS_OF_ALL: readonly Argument[] = [
  named('format', 'how the answer is written', { enum: ['json', 'xml'], schema: { default: 'json' } }),
  named('callback', 'name of a function: JSON wrapped in a call of it'),
  named('aid', "partner's id, added to every address in the documents"),
  named('rid', "partner's second id, likewise"),
];

/** What resources take that lie somewhere. */
export const PLACE_ARGUMENTS: readonly Argument[] = [
  named('geoip', "an IP address, a US or Canadian postal code, or true for the caller's address"),
  named('lat', 'decimal degrees; with lon', { schema: { type: 'number', minimum: -90, maximum: 90 } }),
  named('lon', 'decimal degrees; with lat', { schema: { type: 'number', minimum: -180, maximum: 180 } }),
  named('range', `a number followed by mi or km; without it ${DEFAULT_RANGE}`),
];

export const EVENT_ARGUMENTS: readonly Argument[] = [
  Q,
  ID,
  ids('performers.id', 'one of these performers takes part'),
  named('performers.slug', 'this performer takes part; repeated: all of them'),
  ids('performers[{specificity}].id', 'the same in a role: home_team, away_team, primary or any'),
  named('performers[{specificity}].slug', 'the same in a role'),
  ids('venue.id', 'at one of these venues'),
  ...venueFields('venue.'),
  named('venue.q', 'free text over the venue'),
  ...DATE_ARGUMENTS,
  ...TAXONOMIES,
  ids('type', 'type of event'),
  ...COUNTED_FIELDS.flatMap((field) => compared(field, 'number; what is not known matches none')),
  ...PAGING,
  sorting('the best match of q first, or else datetime_utc.asc'),
];

export const PERFORMER_ARGUMENTS: readonly Argument[] = [
  Q,
  ID,
  named('slug', 'the whole slug'),
  ...TAXONOMIES,
  named('genres.slug', 'among its genres; repeated: all of them'),
  named('genres[primary].slug', 'as its first genre'),
  ids('type', 'type of performer'),
  ...PAGING,
  sorting('the best match of q first, or else score.desc'),
];

export const VENUE_ARGUMENTS: readonly Argument[] = [
  Q,
  ID,
  ...venueFields(''),
  ...PAGING,
  sorting('the best match of q first, or else score.desc'),
];

export const KINDS_ARGUMENTS: readonly Argument[] = [
  named('per_page', 'documents a page; without it all of them', {
    schema: { type: 'integer', minimum: 1, maximum: MOST_A_PAGE },
  }),
  named('page', 'counts from 1; needs per_page'),
  sorting('id.asc'),
];

export const RECOMMENDATION_ARGUMENTS: readonly Argument[] = [
  ids('performers.id', 'whom the recommendations are to be like; this or events.id is needed'),
  named('events.id', 'the one event that they are to be like'),
  ...PLACE_ARGUMENTS.filter(({ name }) => name !== 'range'),
  named('postal_code', 'a US or Canadian postal code; this, geoip, or lat with lon is needed'),
  named('range', `a number followed by mi or km; without it ${RECOMMENDATIONS_RANGE}`),
  ...DATE_ARGUMENTS,
  ids('venue.id', 'at one of these venues'),
  named('venue.slug', "last part of a venue's address"),
  ids('taxonomies.id', 'of this taxonomy or one below it'),
  ids('taxonomies.name', 'the same by name'),
  ...PAGING,
];
