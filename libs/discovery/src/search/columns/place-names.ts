import { countryName, stateName } from '../../catalogue/writing/place-words.js';
import { nameKey } from '../../tokenizer.js';
import type { VenueRow } from './rows.js';

// Colloquial names. People count boroughs as part of the city.
const CITY_ALIASES: Readonly<Record<string, readonly string[]>> = {
  'new york': ['nyc', 'new york city'],
  bronx: ['nyc', 'new york city', 'the bronx'],
  brooklyn: ['nyc', 'new york city'],
  flushing: ['nyc', 'new york city', 'queens'],
  queens: ['nyc', 'new york city'],
  'los angeles': ['la'],
  'san francisco': ['sf'],
  'las vegas': ['vegas'],
  philadelphia: ['philly'],
  washington: ['dc', 'washington dc'],
  'new orleans': ['nola'],
};

/** The names by which `in <place>` finds a venue, as name keys: city, state and country, by code and by name. */
export function placeNames({ city, state, country }: Pick<VenueRow, 'city' | 'state' | 'country'>): string[] {
  const words = [city, state, country, stateName(state, country), countryName(country)];
  const names = words.map((name) => nameKey(name ?? ''));
  return Array.from(new Set([...names, ...(CITY_ALIASES[names[0] ?? ''] ?? [])])).filter((name) => name !== '');
}
