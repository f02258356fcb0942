import { countryName, stateName } from '#catalogue/writing/place-words';
import { nameKey } from '../text/tokenizer.js';
import type { VenueRow } from './rows.js';

// What people say for a city; boroughs belong to it in speech.
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
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

/** What may stand after `in` for the place of a venue: its city, its state and country by code and in words, as name keys. */
export function placeNames({ city, state, country }: Pick<VenueRow, 'city' | 'state' | 'country'>): string[] {
  const words = [city, state, country, stateName(state, country), countryName(country)];
  const names = words.map((name) => nameKey(name ?? ''));
  return Array.from(new Set([...names, ...(ALSO_CALLED[names[0] ?? ''] ?? [])])).filter((name) => name !== '');
}
