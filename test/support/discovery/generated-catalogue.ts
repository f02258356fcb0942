import { SeededRandomness } from '#base/seeded-randomness';
import { CITIES, FIRST_WORDS, GENRES, SECOND_WORDS, TAXONOMIES, TEAM_WORDS, VENUE_WORDS } from './catalogue-words.js';

/** Documents as an import accepts them. */
export type GeneratedCatalogue = Readonly<{
  taxonomies: readonly Taxonomy[];
  genres: readonly Readonly<{ id: number; name: string; slug: string }>[];
  venues: readonly ReturnType<typeof venueDocument>[];
  performers: readonly ReturnType<typeof performerDocument>[];
  /** One at a time, because 200,000 of them are about 500 MB of text. */
  events(): Generator<ReturnType<typeof eventDocument>>;
}>;

type Taxonomy = (typeof TAXONOMIES)[number];
type Size = Readonly<{ events: number; performers: number; venues: number; seed: number; from: string; days: number }>;
type Random = () => number;

/** Generates a catalogue; the same seed gives the same documents. Dates are in the `days` after `from`. */
export function generateCatalogue(size: Size): GeneratedCatalogue {
  const random = seededRandom(size.seed);
  const cities = CITIES.flatMap((city) => Array.from({ length: city.weight }, () => city));
  const venues = Array.from({ length: size.venues }, (_, at) => venueDocument(at + 1, pick(cities, random), random));
  const performers = Array.from({ length: size.performers }, (_, at) => performerDocument(at + 1, random));
  const start = Date.parse(`${size.from}T00:00:00Z`);
  return {
    taxonomies: TAXONOMIES,
    genres: GENRES,
    venues,
    performers,
    *events() {
      const own = seededRandom(size.seed + 1);
      for (let id = 1; id <= size.events; id++) {
        yield eventDocument(id, { venues, performers, day: start + Math.floor(own() * size.days) * 86_400_000 }, own);
      }
    },
  };
}

export function seededRandom(seed: number): Random {
  const random = new SeededRandomness(seed);
  return () => random.fraction();
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^\w ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-');

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

function venueDocument(id: number, city: (typeof CITIES)[number], random: Random) {
  const name = `${pick(FIRST_WORDS, random)} ${pick(VENUE_WORDS, random)}${random() < 0.3 ? ` ${id}` : ''}`;
  return {
    id,
    name,
    address: `${Math.ceil(random() * 900)} ${pick(SECOND_WORDS, random)} Street`,
    extended_address: `${city.name}, ${city.state ?? city.country}`,
    city: city.name,
    postal_code: city.postalCode,
    state: city.state,
    country: city.country,
    // Some venues have no location. The others are within about 25 km of the city centre.
    location:
      random() < 0.01
        ? null
        : { lat: rounded(city.lat + (random() - 0.5) / 2, 4), lon: rounded(city.lon + (random() - 0.5) / 2, 4) },
    url: `https://tickets.example/venues/${slugOf(name)}/tickets`,
    score: rounded(random() ** 2, 3),
    // Without summer time, as `hours` of the cities.
    timezone: `Etc/GMT${city.hours > 0 ? '-' : '+'}${Math.abs(city.hours)}`,
  };
}

const LEAGUES = ['mlb', 'nfl', 'nba', 'nhl'];

function performerDocument(id: number, random: Random) {
  const kind = random();
  const type = kind < 0.1 ? pick(LEAGUES, random) : kind < 0.8 ? 'band' : kind < 0.9 ? 'comedy' : 'theater';
  const isTeam = LEAGUES.includes(type);
  const second = isTeam ? pick(TEAM_WORDS, random) : pick(SECOND_WORDS, random);
  const name = isTeam ? `${pick(CITIES, random).name} ${second}` : `${pick(FIRST_WORDS, random)} ${second}`;
  const slug = `${slugOf(name)}-${id}`;
  const image = `https://tickets.example/images/performers-landscape/${slug}-7562e6/${id}/huge.jpg`;
  const genres = Array.from(new Set([pick(GENRES, random), pick(GENRES, random)]));
  return {
    id,
    name: random() < 0.5 ? `${name} ${pick(SECOND_WORDS, random)}` : name,
    short_name: isTeam ? second : name,
    slug,
    type,
    url: `https://tickets.example/${slug}-tickets`,
    image: random() < 0.2 ? null : image,
    images: random() < 0.2 ? null : { huge: image },
    score: rounded(random() ** 2, 3),
    taxonomies: lineOf(type === 'band' ? 'concert' : type),
    has_upcoming_events: true,
    links: [],
    divisions: isTeam ? [{ taxonomy_id: 1_000_000, display_type: 'League', display_name: 'American League' }] : null,
    genres: type === 'band' ? genres.map((genre, at) => ({ ...genre, primary: at === 0 })) : null,
  };
}

/** A taxonomy, after all its ancestors. */
function lineOf(name: string): Taxonomy[] {
  const found = TAXONOMIES.find((taxonomy) => taxonomy.name === name);
  if (!found) return [];
  const parent = TAXONOMIES.find(({ id }) => id === found.parent_id);
  return [...(parent ? lineOf(parent.name) : []), found];
}

type EventParts = Readonly<{
  venues: GeneratedCatalogue['venues'];
  performers: GeneratedCatalogue['performers'];
  day: number;
}>;

function eventDocument(id: number, { venues, performers, day }: EventParts, random: Random) {
  const venue = pick(venues, random);
  const first = pick(performers, random);
  const isGame = LEAGUES.includes(first.type);
  const count = isGame ? 2 : Math.ceil(random() ** 3 * 4);
  const others = Array.from({ length: count - 1 }, () => pick(performers, random));
  const listed = [first, ...others.filter((other, at, all) => other !== first && all.indexOf(other) === at)];
  const roles = [{ primary: true, ...(isGame ? { home_team: true } : {}) }, isGame ? { away_team: true } : {}];
  const hours = CITIES.find(({ name, state }) => name === venue.city && state === venue.state)?.hours ?? 0;
  const timeTbd = random() < 0.05;
  const local = day + (timeTbd ? 3.5 : 12 + Math.floor(random() * 20) / 2) * 3_600_000;
  const utc = local - hours * 3_600_000;
  const price = Math.ceil(random() * 200);
  const hasPrices = random() < 0.85;
  const taxonomies = random() < 0.03 ? lineOf('music_festival') : first.taxonomies;
  const title = isGame
    ? `${listed[1]?.name ?? 'All Stars'} at ${first.name}`
    : listed.map(({ name }) => name).join(' with ');
  return {
    id,
    title,
    short_title: isGame ? title : first.short_name,
    url: `https://tickets.example/${slugOf(title)}-tickets/${id}`,
    type: taxonomies.at(-1)?.name ?? 'concert',
    stats: {
      listing_count: hasPrices ? Math.floor(random() * 500) : random() < 0.5 ? 0 : null,
      average_price: hasPrices ? price + 30 : null,
      lowest_price: hasPrices ? price : null,
      highest_price: hasPrices ? price + 150 : null,
    },
    datetime_local: isoOf(local),
    datetime_utc: isoOf(utc),
    announce_date: random() < 0.1 ? null : isoOf(day - Math.floor(random() * 200) * 86_400_000),
    // As in real documents: without a time the whole day counts.
    visible_until: isoOf(utc + (timeTbd ? 20.5 : 4) * 3_600_000),
    time_tbd: timeTbd,
    date_tbd: false,
    datetime_tbd: timeTbd,
    performers: listed.map((performer, at) => ({ ...performer, ...roles[at] })),
    venue,
    score: rounded(random() ** 2, 3),
    taxonomies,
  };
}

const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 19);
