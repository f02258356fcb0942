import type { RecommendationSearch, Seed } from '#search/query/recommendation-search';
import type { ArgumentReader } from './argument-reader.js';
import { readDateBounds } from './date-argument.js';
import { readPaging, readSort } from './page-arguments.js';
import { type PlaceRequest, readRequiredPlace } from './place-arguments.js';

export const RECOMMENDATIONS_RANGE = '200mi';

/** What is asked for but for the place, which is not looked up yet; undefined when something is wrong. */
export type RecommendationRequest = Readonly<{ search: Omit<RecommendationSearch, 'near'>; place: PlaceRequest }>;

export function readRecommendations(args: ArgumentReader): RecommendationRequest | undefined {
  const seed = readSeed(args);
  const place = readRequiredPlace(args, RECOMMENDATIONS_RANGE);
  // They are always sorted by score, but one that is wrong is wrong here, too.
  readSort(args);
  const filters = {
    ...readPaging(args),
    datetimeUtc: readDateBounds(args, 'datetime_utc'),
    datetimeLocal: readDateBounds(args, 'datetime_local'),
    venueIds: args.ids('venue.id'),
    venueSlugs: args.list('venue.slug'),
    taxonomyIds: args.ids('taxonomies.id'),
    taxonomyNames: args.list('taxonomies.name')?.map((name) => name.toLowerCase()),
  };
  return seed && place && { search: { seed, ...filters }, place };
}

/** Performers, one or more, or one event; one of both kinds is refused rather than guessed at. */
function readSeed(args: ArgumentReader): Seed | undefined {
  const performerIds = args.ids('performers.id');
  const eventIds = args.ids('events.id');
  if (!args.has('performers.id') && !args.has('events.id')) {
    return args.fault('performers.id', 'must be given, or else events.id');
  }
  if (performerIds && eventIds) return args.fault('events.id', 'must not be given beside performers.id');
  if (performerIds) return { performerIds };
  const [eventId, ...more] = eventIds ?? [];
  if (more.length > 0) return args.fault('events.id', 'must be one id');
  return eventId === undefined ? undefined : { eventId };
}
