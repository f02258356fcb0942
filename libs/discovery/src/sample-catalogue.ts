import type { Clock } from '#base/clock';
import { parseJson } from '#base/json';
import { SeededRandomness } from '#base/seeded-randomness';
import type { CatalogueLine } from './catalogue.contract.js';
import type { Catalogue } from './catalogue.js';
import { slugOf } from './catalogue/writing/slug.js';
import { localOf, utcOf } from './local-time.js';
import { type Draft, sampleDrafts } from './catalogue/sample/sample-drafts.js';
import {
  sampleBands,
  sampleGenres,
  sampleLeagues,
  sampleTaxonomies,
} from './catalogue/sample/sample-performers.data.js';
import { sampleCities, sampleVenues } from './catalogue/sample/sample-places.data.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SITE = 'https://tickets.example';

// The event of the first sample listing; the others follow.
const FIRST_EVENT = 1_001;
// Far from the ids of real catalogues, which may be imported as well.
const FIRST_VENUE = 7_000_001;
const FIRST_PERFORMER = 7_000_001;

/** All documents of the sample catalogue, in import format. */
export type SampleCatalogue = Readonly<{
  taxonomies: readonly CatalogueLine<'taxonomies'>[];
  genres: readonly CatalogueLine<'genres'>[];
  venues: readonly CatalogueLine<'venues'>[];
  performers: readonly CatalogueLine<'performers'>[];
  events: readonly CatalogueLine<'events'>[];
}>;

/** Writes the sample catalogue, replacing an earlier one, and returns its events. */
export async function writeSampleCatalogue(
  catalogue: Catalogue,
  clock: Clock,
  site?: string,
): Promise<SampleCatalogue['events']> {
  const sample = sampleCatalogueOn(clock, site);
  for (const kind of ['taxonomies', 'genres', 'venues', 'performers', 'events'] as const) {
    const [error] = await catalogue.write(kind, sample[kind] as CatalogueLine<typeof kind>[]);
    if (error) throw new Error(`The sample cannot be written: ${kind} ${error.id}, ${error.message}`);
  }
  await catalogue.refreshUpcoming();
  return sample.events;
}

/**
 * Removes the sample's shows, performers and venues, unless something else refers to them or an import has put others in their place. The
 * kinds of shows and genres stay, because they are the same everywhere. Returns how many shows went.
 */
export async function removeSampleCatalogue(catalogue: Catalogue, clock: Clock): Promise<number> {
  const sample = sampleCatalogueOn(clock);
  const removed = await removeOf(
    catalogue,
    'events',
    sample.events.map(({ id, title }) => [id, title]),
  );
  await removeOf(
    catalogue,
    'performers',
    sample.performers.map(({ id, name }) => [id, name]),
  );
  await removeOf(
    catalogue,
    'venues',
    sample.venues.map(({ id, name }) => [id, name]),
  );
  return removed;
}

async function removeOf(
  catalogue: Catalogue,
  kind: 'events' | 'performers' | 'venues',
  sample: readonly (readonly [id: number, name: string])[],
): Promise<number> {
  const ours: number[] = [];
  for (const [id, name] of sample) {
    const found = parseJson((await catalogue.find(kind, id)) ?? 'null') as { title?: string; name?: string } | null;
    if ((found?.title ?? found?.name) === name) ours.push(id);
  }
  return await catalogue.removeAll(kind, ours);
}

/** The sample catalogue, with dates around today. The result is the same all day. `site` has the public pages that `url` leads to. */
export function sampleCatalogueOn(clock: Clock, site = SITE): SampleCatalogue {
  const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const random = new SeededRandomness(20_261_121);
  const drafts = sampleDrafts();
  const venues = sampleVenues.map((venue, at) => venueOf(venue, { id: FIRST_VENUE + at, site }, random));
  const performers = [...taxonomiesByPerformer(drafts)].map(([name, taxonomies], at) =>
    performerOf({ name, taxonomies, site, id: FIRST_PERFORMER + at, score: scoreAt(at, random) }),
  );
  const context = { venues: byName(venues), performers: byName(performers), midnight, site };
  return {
    taxonomies: sampleTaxonomies.map(([id, name, parentId]) => ({ id, name, parent_id: parentId })),
    genres: Object.values(sampleGenres).map(([id, name]) => ({ id, name, slug: slugOf(name) })),
    venues,
    performers,
    events: drafts.map((draft, at) => eventOf(draft, FIRST_EVENT + at, context)),
  };
}

/** The first of each kind scores 1, as the specification demands. */
function scoreAt(at: number, random: SeededRandomness): number {
  return at === 0 ? 1 : Math.round((0.2 + random.fraction() * 0.75) * 1_000) / 1_000;
}

/** Each performer once, with the taxonomies of its first event. Bands of a festival are bands. */
function taxonomiesByPerformer(drafts: readonly Draft[]): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  for (const { performers, taxonomies } of drafts) {
    for (const [at, name] of performers.entries()) {
      const isBand = sampleBands.some(([band]) => band === name);
      if (!found.has(name)) found.set(name, at > 0 && isBand ? [2_000_000] : taxonomies);
    }
  }
  return found;
}

function venueOf(
  [name, city, , address]: (typeof sampleVenues)[number],
  { id, site }: Readonly<{ id: number; site: string }>,
  random: SeededRandomness,
) {
  const [cityName, state, country, , postalCode, lat, lon] = sampleCities[city];
  return {
    id,
    name,
    address,
    extended_address: `${cityName}, ${state} ${postalCode}`,
    city: cityName,
    postal_code: postalCode,
    state,
    country,
    location: { lat, lon },
    url: `${site}/v/${slugOf(name)}-${id}`,
    score: scoreAt(id - FIRST_VENUE, random),
  };
}

type Performer = Readonly<{ id: number; name: string; taxonomies: readonly number[]; score: number; site: string }>;

function performerOf({ id, name, taxonomies, score, site }: Performer): CatalogueLine<'performers'> {
  const [, ...genres] = sampleBands.find(([band]) => band === name) ?? [name];
  const league = sampleLeagues.find(({ teams }) => teams.some(([team]) => team === name));
  const type = typeOf(taxonomies);
  return {
    id,
    name,
    slug: slugOf(name),
    type: type === 'concert' ? 'band' : type,
    url: `${site}/p/${slugOf(name)}`,
    score,
    taxonomies: taxonomies.map((taxonomy) => ({ id: taxonomy })),
    links:
      type === 'concert'
        ? [{ provider: 'lastfm', url: `https://tracking.example/music/${encodeURIComponent(name)}` }]
        : [],
    divisions: league
      ? [
          {
            taxonomy_id: taxonomies.at(-1),
            division_level: 1,
            display_type: 'League',
            display_name: league.league,
            short_name: null,
            slug: null,
          },
        ]
      : null,
    genres: genres.length > 0 ? genres.map((genre, at) => ({ id: sampleGenres[genre][0], primary: at === 0 })) : null,
  };
}

type EventContext = Readonly<{
  venues: ReadonlyMap<string, CatalogueLine<'venues'>>;
  performers: ReadonlyMap<string, CatalogueLine<'performers'>>;
  midnight: number;
  site: string;
}>;

function eventOf(
  draft: Draft,
  id: number,
  { venues, performers, midnight, site }: EventContext,
): CatalogueLine<'events'> {
  const { title, isGame, taxonomies } = draft;
  const venue = venues.get(draft.venue);
  if (!venue) throw new Error(`The sample has no venue ${draft.venue}.`);
  const { local, utc } = timesOf(draft, midnight + draft.daysAhead * DAY_MS);
  return {
    id,
    title,
    type: typeOf(taxonomies),
    url: `${site}/e/${slugOf(title)}-${id}`,
    datetime_local: iso(local),
    datetime_utc: iso(utc),
    announce_date: iso(midnight + Math.min(draft.daysAhead - 75, -1) * DAY_MS),
    time_tbd: draft.at === 'TBD',
    date_tbd: draft.dateTbd ?? false,
    performers: draft.performers.map((name, at) => ({
      id: performers.get(name)?.id ?? 0,
      ...(at === 0 && { primary: true }),
      ...(isGame && (at === 0 ? { home_team: true } : { away_team: true })),
    })),
    venue: { id: venue.id },
    score: Math.max(...draft.performers.map((name) => performers.get(name)?.score ?? 0)),
    taxonomies: taxonomies.map((taxonomy) => ({ id: taxonomy })),
  };
}

function timesOf({ at, venue }: Draft, dayMs: number): { local: number; utc: number } {
  const [, city] = sampleVenues.find(([name]) => name === venue) ?? sampleVenues[0]!;
  const timeZone = sampleCities[city][3];
  if (typeof at === 'number') return { local: localOf(dayMs + at * HOUR_MS, timeZone), utc: dayMs + at * HOUR_MS };
  // The sentinel for a time that is still to be determined.
  const [hours = 0, minutes = 0] = (at === 'TBD' ? '03:30' : at).split(':').map(Number);
  const local = dayMs + hours * HOUR_MS + minutes * 60_000;
  return { local, utc: utcOf(local, timeZone) };
}

function typeOf(taxonomies: readonly number[]): string {
  return sampleTaxonomies.find(([id]) => id === taxonomies.at(-1))?.[1] ?? 'event';
}

function byName<Line extends Readonly<{ name: string }>>(lines: readonly Line[]): Map<string, Line> {
  return new Map(lines.map((line) => [line.name, line]));
}

function iso(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
