import { canonicalDateTime, type CatalogueLine } from '../../catalogue.contract.js';
import { localOf, utcOf } from '../../local-time.js';
import { countryName, stateName } from './place-words.js';
import { eventPath, performerPath, venuePath } from './public-paths.js';
import { slugOf, venueSlugIn } from './slug.js';

/**
 * The own columns of each document; columns that depend on other rows are computed in SQL. Undefined becomes null in JSON. A
 * missing url becomes the path of the public page.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const VISIBLE_MS = 4 * HOUR_MS;

/** How long after its estimated day an event without a date stays visible. Postponed shows have taken a year to get their date. */
const DATELESS_MS = 365 * DAY_MS;

/** The local time while a time is still to be determined (specification). */
const TBD = '03:30:00';

export function taxonomyRow({ id, name, parent_id: parentId = null }: CatalogueLine<'taxonomies'>) {
  const document = { id, name, parent_id: parentId };
  return { ...document, slug: slugOf(name), document };
}

export function genreRow(line: CatalogueLine<'genres'>) {
  const { id, name, image = null, images = null } = line;
  const document = { id, name, slug: line.slug ?? slugOf(name), image, images };
  return { ...document, document };
}

export function venueRow(line: CatalogueLine<'venues'>) {
  const { id, name, location = null, address = null, city = null } = line;
  const extendedAddress = line.extended_address ?? null;
  const postalCode = line.postal_code ?? null;
  const country = asCode(line.country);
  const state = asCode(line.state);
  const slug = venueSlugIn(line.url) ?? slugOf(name);
  const words = [address, extendedAddress, city, state, stateName(state, country), postalCode];
  return {
    id,
    name,
    slug,
    city,
    state,
    country,
    postal_code: postalCode,
    lat: location?.lat,
    lon: location?.lon,
    time_zone: line.timezone,
    imported_score: line.score ?? 0,
    place_text: sentence([...words, country, countryName(country)]),
    own: {
      id,
      name,
      address,
      extended_address: extendedAddress,
      city,
      postal_code: postalCode,
      state,
      country,
      location,
      url: line.url ?? venuePath(id, name),
    },
  };
}

export function performerRow(line: CatalogueLine<'performers'>) {
  const { id, name, image = null, images = null, divisions = null } = line;
  const shortName = line.short_name ?? name;
  const slug = line.slug ?? slugOf(name);
  const type = line.type ?? line.taxonomies?.at(-1)?.name ?? 'performer';
  const genreIds = line.genres && distinct(line.genres.map((genre) => genre.id));
  return {
    id,
    name,
    short_name: shortName,
    slug,
    type,
    own_taxonomy_ids: distinct((line.taxonomies ?? []).map((taxonomy) => taxonomy.id)),
    genre_ids: genreIds,
    primary_genre_ids: distinct((line.genres ?? []).filter(({ primary }) => primary).map((genre) => genre.id)),
    imported_score: line.score ?? 0,
    imported_has_upcoming_events: line.has_upcoming_events ?? false,
    name_text: sentence([name, shortName === name ? null : shortName]),
    division_text: sentence((divisions ?? []).flatMap((division) => Object.values(division).filter(isText))),
    own: {
      id,
      name,
      short_name: shortName,
      slug,
      type,
      url: line.url ?? performerPath(slug),
      image,
      images,
      links: line.links ?? [],
      divisions,
    },
  };
}

/** @param timeZone of the venue; undefined where nothing tells it, so that only the line tells the distance to UTC */
export function eventRow(line: CatalogueLine<'events'>, timeZone: string | undefined) {
  const { id, title, stats } = line;
  const toUtc = venueClock(line, timeZone);
  const shortTitle = line.short_title ?? title;
  const performers = line.performers ?? [];
  const withFlag = (flag: 'primary' | 'home_team' | 'away_team') =>
    distinct(performers.filter((performer) => performer[flag]).map((performer) => performer.id));
  const shown = {
    type: line.type ?? line.taxonomies?.at(-1)?.name ?? 'event',
    ...timesOf(line, toUtc),
    announce_date: line.announce_date ? canonicalDateTime(line.announce_date, 'utc') : null,
  };
  const visibleUntil = visibleUntilOf(line, shown, toUtc);
  return {
    id,
    title,
    short_title: shortTitle,
    ...shown,
    visible_until: visibleUntil,
    performer_ids: distinct(performers.map((performer) => performer.id)),
    primary_performer_ids: withFlag('primary'),
    home_team_ids: withFlag('home_team'),
    away_team_ids: withFlag('away_team'),
    own_taxonomy_ids: distinct((line.taxonomies ?? []).map((taxonomy) => taxonomy.id)),
    venue_id: line.venue.id,
    given_listing_count: stats?.listing_count,
    given_average_price: stats?.average_price,
    given_lowest_price: stats?.lowest_price,
    given_highest_price: stats?.highest_price,
    imported_score: line.score ?? 0,
    own: {
      id,
      title,
      short_title: shortTitle,
      url: line.url ?? eventPath(id),
      ...shown,
      visible_until: visibleUntil,
      time_tbd: line.time_tbd ?? false,
      date_tbd: line.date_tbd ?? false,
      datetime_tbd: line.datetime_tbd ?? false,
    },
  };
}

type Times = Readonly<{ datetime_local: string; datetime_utc: string }>;

function timesOf(line: CatalogueLine<'events'>, toUtc: VenueClock): Times {
  const local = canonicalDateTime(line.datetime_local, 'local') ?? '';
  const shown = line.time_tbd ? `${local.slice(0, 10)}T${TBD}` : local;
  return { datetime_local: shown, datetime_utc: isoOf(toUtc(msOf(shown))) };
}

/** The moment of a local time at the venue of an event. Both are milliseconds, see local-time.ts. */
type VenueClock = (localMs: number) => number;

function venueClock(line: CatalogueLine<'events'>, timeZone: string | undefined): VenueClock {
  const local = msOf(canonicalDateTime(line.datetime_local, 'local') ?? '');
  const utc = msOf(canonicalDateTime(line.datetime_utc, 'utc') ?? '');
  // A document that is further off does not have the distance of another season: one of its times is wrong, and nobody knows which.
  if (timeZone === undefined || Math.abs(utcOf(local, timeZone) - utc) > HOUR_MS) return (at) => utc - (local - at);
  // In the hour that the clock shows twice only the document tells which of the two is meant.
  const isShown = localOf(utc, timeZone) === local;
  return (at) => (isShown && at === local ? utc : utcOf(at, timeZone));
}

function visibleUntilOf(line: CatalogueLine<'events'>, times: Times, toUtc: VenueClock): string {
  const value = line.visible_until ?? line.visible_until_utc;
  const given = value ? canonicalDateTime(value, 'utc') : undefined;
  if (!line.time_tbd && !line.date_tbd) return given ?? isoOf(msOf(times.datetime_utc) + VISIBLE_MS);
  // Whoever has no time gives the night of the day, and the show is still to come.
  const local = msOf(times.datetime_local);
  const endOfDay = toUtc(local - (local % DAY_MS) + DAY_MS);
  const usual = line.date_tbd ? endOfDay + DATELESS_MS : endOfDay;
  return isoOf(given === undefined ? usual : Math.max(msOf(given), endOfDay));
}

const msOf = (dateTime: string) => Date.parse(`${dateTime}Z`);
const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 19);

function asCode(place: string | null | undefined): string | null {
  return place?.length === 2 ? place.toUpperCase() : (place ?? null);
}

function sentence(words: readonly (string | null | undefined)[]): string {
  return words.filter(Boolean).join(' ');
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
