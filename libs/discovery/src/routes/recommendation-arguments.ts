import type { RecommendationSearch, Seed } from '../search/query/recommendation-search.js';
import { type Argument, argument, group, ids, list, parametersOf } from './argument.js';
import type { ArgumentReader } from './argument-reader.js';
import { DATETIME_LOCAL, DATETIME_UTC } from './date-argument.js';
import { TAXONOMY_IDS, TAXONOMY_NAMES } from './filter-arguments.js';
import { PAGING, sorting } from './page-arguments.js';
import { type PlaceRequest, requiredPlace } from './place-arguments.js';

/** The request before its place is looked up. */
export type RecommendationRequest = Readonly<{ search: Omit<RecommendationSearch, 'near'>; place: PlaceRequest }>;

const PERFORMER_IDS = ids('performers.id', 'the performers to resemble; this or events.id is required');
const EVENT_IDS = argument('events.id', 'the event to resemble', (args, name) => args.ids(name));

const PLACE = requiredPlace('200mi');

const FILTERS = group({
  datetimeUtc: DATETIME_UTC,
  datetimeLocal: DATETIME_LOCAL,
  venueIds: ids('venue.id', 'at one of these venues'),
  venueSlugs: list('venue.slug', "last part of a venue's address"),
  taxonomyIds: TAXONOMY_IDS,
  taxonomyNames: TAXONOMY_NAMES,
});

// Recommendations are always sorted by score, so `sort` is not documented. An invalid one is still an issue.
const SORT = sorting('score.desc');

export const RECOMMENDATIONS: Argument<RecommendationRequest | undefined> = {
  parameters: parametersOf([PERFORMER_IDS, EVENT_IDS, PLACE, FILTERS, PAGING]),
  read: (args) => {
    const seed = readSeed(args);
    const place = PLACE.read(args);
    SORT.read(args);
    const filters = { ...PAGING.read(args), ...FILTERS.read(args) };
    return seed && place && { search: { seed, ...filters }, place };
  },
};

/** One or more performers, or one event. Both together are an issue, because it is unclear which one counts. */
function readSeed(args: ArgumentReader): Seed | undefined {
  const performerIds = PERFORMER_IDS.read(args);
  const eventIds = EVENT_IDS.read(args);
  if (!args.has('performers.id') && !args.has('events.id')) {
    return args.report('performers.id', 'must be given, or else events.id');
  }
  if (performerIds && eventIds) return args.report('events.id', 'must not be given beside performers.id');
  if (performerIds) return { performerIds };
  const [eventId, ...more] = eventIds ?? [];
  if (more.length > 0) return args.report('events.id', 'must be one id');
  return eventId === undefined ? undefined : { eventId };
}
