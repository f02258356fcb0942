import type { PostalRow } from '#catalogue/postal-codes';
import { EARTH_RADIUS_METRES, type Place, RADIANS } from '../query/place.js';

const CELL_DEGREES = 0.5;
const NEAREST_METRES = 25_000;
// Companies have codes of their own, whose city is the company's name.
const SAME_METRES = 1_000;

/** Postal codes in memory: by code, and in cells of half a degree, so that the nearest one is found among some hundred. */
export class PostalPlaces {
  private readonly byCode = new Map<string, PostalRow>();
  private readonly cells = new Map<string, PostalRow[]>();

  constructor(rows: readonly PostalRow[]) {
    for (const row of rows) {
      this.byCode.set(`${row.country} ${row.code}`, row);
      const cell = cellOf(row.lat, row.lon);
      const others = this.cells.get(cell);
      if (others) others.push(row);
      else this.cells.set(cell, [row]);
    }
  }

  find(code: string): Place | undefined {
    const bare = code.replace(/[\s-]/g, '').toUpperCase();
    const key = /^\d{5}(\d{4})?$/.test(bare)
      ? `US ${bare.slice(0, 5)}`
      : /^[A-Z]\d[A-Z](\d[A-Z]\d)?$/.test(bare)
        ? `CA ${bare.slice(0, 3)}`
        : '';
    const row = this.byCode.get(key);
    return row && placeOf(row);
  }

  /** In the city of most of the codes that are as good as nearest. */
  nearest(lat: number, lon: number): Place | undefined {
    const around: Distant[] = [];
    let least = NEAREST_METRES;
    for (const north of [-1, 0, 1]) {
      for (const east of [-1, 0, 1]) {
        for (const row of this.cells.get(cellOf(lat + north * CELL_DEGREES, lon + east * CELL_DEGREES)) ?? []) {
          const metres = metresBetween(row, { lat, lon });
          if (metres < Math.min(least + SAME_METRES, NEAREST_METRES)) around.push({ row, metres });
          least = Math.min(least, metres);
        }
      }
    }
    const nearest = nearestInCity(around.filter(({ metres }) => metres < least + SAME_METRES));
    return nearest && placeOf(nearest);
  }
}

type Distant = Readonly<{ row: PostalRow; metres: number }>;

function nearestInCity(around: readonly Distant[]): PostalRow | undefined {
  const cities = new Map<string, { codes: number; nearest: Distant }>();
  for (const distant of around) {
    const name = `${distant.row.city}, ${distant.row.state}`;
    const city = cities.get(name) ?? { codes: 0, nearest: distant };
    city.codes++;
    if (distant.metres < city.nearest.metres) city.nearest = distant;
    cities.set(name, city);
  }
  const [first] = [...cities.values()].toSorted((a, b) => b.codes - a.codes || a.nearest.metres - b.nearest.metres);
  return first?.nearest.row;
}

/** `New York, NY`; elsewhere than in the US and Canada `London, GB`. */
export const displayName = ({ city, state, country }: Pick<Place, 'city' | 'state' | 'country'>): string | null =>
  [city, state ?? country].filter(Boolean).join(', ') || null;

const cellOf = (lat: number, lon: number) => `${Math.floor(lat / CELL_DEGREES)} ${Math.floor(lon / CELL_DEGREES)}`;

function placeOf({ country, code, city, state, lat, lon }: PostalRow): Place {
  return { lat, lon, city, state, country, postal_code: code, display_name: displayName({ city, state, country }) };
}

type Point = Readonly<{ lat: number; lon: number }>;

function metresBetween(one: Point, other: Point): number {
  const north = (other.lat - one.lat) * RADIANS;
  const east = (other.lon - one.lon) * RADIANS * Math.cos(one.lat * RADIANS);
  // Over 25 km the earth is flat.
  return Math.hypot(north, east) * EARTH_RADIUS_METRES;
}
