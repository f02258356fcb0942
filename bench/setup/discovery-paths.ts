import { seededRandom, pick } from '../../test/support/discovery/generated-catalogue.js';
import { CITIES, FIRST_WORDS, SECOND_WORDS, TEAM_WORDS } from '../../test/support/discovery/catalogue-words.js';
import { type DiscoverySetup, KEY } from './discovery-setup.js';

// Enough different paths that the cache of recent answers is not hit.
const DIFFERENT = 2_000;
const DAY_MS = 86_400_000;

/** Random request paths of each kind; the same in every run of one day. */
export class DiscoveryPaths {
  private readonly random = seededRandom(5);

  constructor(private readonly setup: DiscoverySetup) {}

  single(): string[] {
    return this.different(() => `/2/events/${1 + Math.floor(this.random() * this.setup.size.events)}?client_id=${KEY}`);
  }

  /** By city, four weeks and taxonomy. */
  filtered(): string[] {
    return this.different(() => {
      const from = Date.now() + Math.floor(this.random() * 600) * DAY_MS;
      return this.events({
        'venue.city': pick(CITIES, this.random).name,
        'datetime_utc.gte': dateOf(from),
        'datetime_utc.lt': dateOf(from + 28 * DAY_MS),
        'taxonomies.name': pick(['concert', 'sports', 'theater', 'comedy'], this.random),
      });
    });
  }

  /** Within the default range of a point near a city. */
  near(): string[] {
    return this.different(() => {
      const { lat, lon } = pick(CITIES, this.random);
      return this.events({ lat: (lat + this.random() / 5).toFixed(4), lon: (lon + this.random() / 5).toFixed(4) });
    });
  }

  /** Free text, from a name to a sentence with a time. One in ten has a typing error; some match thousands of events. */
  text(): string[] {
    const questions = [
      () => `${pick(FIRST_WORDS, this.random)} ${pick(SECOND_WORDS, this.random)}`,
      () => pick(this.setup.set.performers, this.random).name,
      () => pick(this.setup.set.performers, this.random).slug,
      () => `${this.team()} tickets in ${this.city()} this weekend`,
      () => `${this.team()} ${this.city()}`,
      () => `comedy in ${this.city()} next month`,
      () => `concerts ${this.city()} ${pick(['june', 'july', 'friday', '2027'], this.random)}`,
      () => `${pick(['nhl', 'mlb', 'theater', 'rock'], this.random)} ${this.city()}`,
      () => pick(SECOND_WORDS, this.random),
      () => withoutThirdLetter(pick(SECOND_WORDS, this.random)),
    ];
    return this.different(() => this.events({ q: pick(questions, this.random)() }));
  }

  /** For one performer or, every third, for one event; near a city. */
  recommended(range: string): string[] {
    const { events, performers } = this.setup.size;
    const some = (of: number) => `${1 + Math.floor(this.random() * of)}`;
    return this.different(() => {
      const { lat, lon } = pick(CITIES, this.random);
      const seed = this.random() < 1 / 3 ? { 'events.id': some(events) } : { 'performers.id': some(performers) };
      const query = { client_id: KEY, ...seed, lat: `${lat}`, lon: `${lon}`, range };
      return `/2/recommendations?${new URLSearchParams(query as Record<string, string>).toString()}`;
    });
  }

  page(number: number): string[] {
    return this.different(() => this.events({ page: `${number}` }));
  }

  private different(path: () => string): string[] {
    return Array.from({ length: DIFFERENT }, path);
  }

  private events(query: Readonly<Record<string, string>>): string {
    return `/2/events?${new URLSearchParams({ client_id: KEY, ...query }).toString()}`;
  }

  private readonly city = () => pick(CITIES, this.random).name;
  private readonly team = () => pick(TEAM_WORDS, this.random);
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const withoutThirdLetter = (word: string) => word.slice(0, 2) + word.slice(3);
