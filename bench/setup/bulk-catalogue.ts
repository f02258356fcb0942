import { SeededRandomness } from '#base/seeded-randomness';
import type { CatalogueLine } from '#discovery/catalogue.contract';

export type CatalogueSize = Readonly<{ events: number; performers: number; venues: number }>;

export const WHOLE_CATALOGUE: CatalogueSize = { events: 200_000, performers: 20_000, venues: 5_000 };

const DAY_MS = 86_400_000;
// Fixed, so that every run loads the same. Events are in the two years around it.
const MIDDLE = Date.parse('2026-11-21T00:00:00Z');
const SPREAD_DAYS = 730;

const KINDS = [
  ['concert', [2_000_000]],
  ['mlb', [1_000_000, 1_010_000, 1_010_100]],
  ['nba', [1_000_000, 1_030_000, 1_030_100]],
  ['nhl', [1_000_000, 1_040_000, 1_040_100]],
  ['comedy', [3_000_000, 3_040_000]],
  ['theater', [3_000_000]],
] as const;

const TAXONOMIES: readonly CatalogueLine<'taxonomies'>[] = [
  { id: 1_000_000, name: 'sports' },
  { id: 1_010_000, name: 'baseball', parent_id: 1_000_000 },
  { id: 1_010_100, name: 'mlb', parent_id: 1_010_000 },
  { id: 1_030_000, name: 'basketball', parent_id: 1_000_000 },
  { id: 1_030_100, name: 'nba', parent_id: 1_030_000 },
  { id: 1_040_000, name: 'hockey', parent_id: 1_000_000 },
  { id: 1_040_100, name: 'nhl', parent_id: 1_040_000 },
  { id: 2_000_000, name: 'concert' },
  { id: 3_000_000, name: 'theater' },
  { id: 3_040_000, name: 'comedy', parent_id: 3_000_000 },
];

const GENRES = ['Country', 'Pop', 'Rock', 'Folk', 'Jazz', 'Indie', 'Soul', 'Punk'].map((name, at) => ({
  id: 450 + at,
  name,
  slug: name.toLowerCase(),
}));

const CITIES = [
  ['New York', 'NY', '10001', 40.75, -73.99],
  ['Los Angeles', 'CA', '90012', 34.06, -118.24],
  ['Chicago', 'IL', '60601', 41.89, -87.62],
  ['Houston', 'TX', '77002', 29.76, -95.36],
  ['Phoenix', 'AZ', '85004', 33.45, -112.07],
  ['Philadelphia', 'PA', '19102', 39.95, -75.17],
  ['Boston', 'MA', '02111', 42.35, -71.06],
  ['Seattle', 'WA', '98101', 47.61, -122.33],
  ['Denver', 'CO', '80202', 39.75, -105],
  ['Toronto', 'ON', 'M5V 1J1', 43.64, -79.39],
  ['Nashville', 'TN', '37203', 36.15, -86.79],
  ['Miami', 'FL', '33132', 25.78, -80.19],
] as const;

const FIRST = 'Amber Silent Golden Northern Velvet Broken Electric Paper Crimson Hollow Lucky Distant Royal Wild'.split(
  ' ',
);
const SECOND =
  'Rivers Lanterns Foxes Harbor Giants Echoes Pilots Orchard Thunder Falcons Mirrors Kings Saints Owls'.split(' ');

/**
 * A generated catalogue, the same in every run. It is separate from the generated catalogue of test/support, which changes with
 * the tests, because the time of an import is compared between releases.
 */
export class BulkCatalogue {
  readonly taxonomies = TAXONOMIES;
  readonly genres: readonly CatalogueLine<'genres'>[] = GENRES;
  readonly venues: readonly CatalogueLine<'venues'>[];
  readonly performers: readonly CatalogueLine<'performers'>[];
  readonly #random = new SeededRandomness(20_261_121);

  constructor(private readonly size: CatalogueSize) {
    this.venues = Array.from({ length: size.venues }, (_, at) => this.#venue(at + 1));
    this.performers = Array.from({ length: size.performers }, (_, at) => this.#performer(at + 1));
  }

  *events(): Generator<CatalogueLine<'events'>> {
    for (let id = 1; id <= this.size.events; id += 1) yield this.#event(id);
  }

  #venue(id: number): CatalogueLine<'venues'> {
    const [city, state, postalCode, lat, lon] = this.#random.pick(CITIES);
    const name = `${this.#random.pick(SECOND)} ${this.#random.pick(['Arena', 'Hall', 'Theatre', 'Park', 'Club'])} ${id}`;
    return {
      id,
      name,
      city,
      state,
      postal_code: postalCode,
      country: state === 'ON' ? 'CA' : 'US',
      address: `${id} Main Street`,
      extended_address: `${city}, ${state} ${postalCode}`,
      // Within about 30 km of the city centre.
      location: { lat: lat + (this.#random.fraction() - 0.5) / 2, lon: lon + (this.#random.fraction() - 0.5) / 2 },
      url: `https://tickets.example/venues/venue-${id}/tickets`,
      score: this.#score(),
    };
  }

  #performer(id: number): CatalogueLine<'performers'> {
    const [type, taxonomyIds] = this.#random.pick(KINDS);
    const name = `${this.#random.pick(FIRST)} ${this.#random.pick(SECOND)} ${id}`;
    const image = `https://tickets.example/images/performers-landscape/${id}/huge.jpg`;
    return {
      id,
      name,
      short_name: name,
      slug: `performer-${id}`,
      type,
      image,
      images: { huge: image },
      url: `https://tickets.example/performer-${id}-tickets`,
      score: this.#score(),
      taxonomies: taxonomiesOf(taxonomyIds),
      has_upcoming_events: true,
      links: [],
      divisions: null,
      genres: type === 'concert' ? [{ ...this.#random.pick(GENRES), primary: true }] : null,
    };
  }

  #event(id: number): CatalogueLine<'events'> {
    const venue = this.#random.pick(this.venues);
    const first = this.#random.pick(this.performers);
    const second = this.performers[first.id % this.size.performers]!;
    const at = MIDDLE + Math.floor((this.#random.fraction() - 0.5) * SPREAD_DAYS) * DAY_MS + 19.5 * 3_600_000;
    const price = Math.round(20 + this.#random.fraction() * 200);
    const isGame = ['mlb', 'nba', 'nhl'].includes(first.type ?? '');
    const performers = [
      { ...first, primary: true, ...(isGame && { home_team: true }) },
      ...(isGame ? [{ ...second, away_team: true }] : []),
    ];
    const title = performers.map(({ name }) => name).join(' at ');
    return {
      id,
      title,
      short_title: title,
      type: first.type,
      venue,
      performers,
      taxonomies: first.taxonomies,
      url: `https://tickets.example/event-tickets/${id}`,
      datetime_local: isoOf(at),
      datetime_utc: isoOf(at + 5 * 3_600_000),
      announce_date: isoOf(at - 90 * DAY_MS),
      visible_until: isoOf(at + 9 * 3_600_000),
      time_tbd: false,
      date_tbd: false,
      datetime_tbd: false,
      stats:
        this.#random.fraction() < 0.1
          ? { listing_count: null, average_price: null, lowest_price: null, highest_price: null }
          : { listing_count: 40, average_price: price, lowest_price: price / 2, highest_price: price * 3 },
      score: this.#score(),
    };
  }

  #score(): number {
    return Math.round(this.#random.fraction() * 1_000) / 1_000;
  }
}

function taxonomiesOf(ids: readonly number[]) {
  return ids.map((id) => ({ parent_id: null, ...TAXONOMIES.find((taxonomy) => taxonomy.id === id)! }));
}

function isoOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
}
