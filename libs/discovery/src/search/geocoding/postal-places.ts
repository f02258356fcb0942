import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import type { PostalRow } from '../../postal-codes.js';
import { type Place, RADIANS } from '../query/place.js';

const NEAREST_KM = 25;
// Some companies have postal codes of their own, with the company name as the city.
const SAME_KM = 1;
// Slightly more than a kilometre, so that the box contains the whole circle.
const DEGREES_PER_KM = 1 / 111;

export class PostalPlaces {
  private readonly byCode: ReadonlyMap<string, PostalRow>;
  /** Item numbers are positions in `rows`. */
  private readonly tree: KDBush;

  constructor(private readonly rows: readonly PostalRow[]) {
    this.byCode = new Map(rows.map((row) => [`${row.country} ${row.code}`, row]));
    this.tree = new KDBush(rows.length);
    for (const { lat, lon } of rows) this.tree.add(lon, lat);
    this.tree.finish();
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

  /** The nearest code in the city that most of the nearest codes belong to. */
  nearest(lat: number, lon: number): Place | undefined {
    const [first] = around(this.tree, lon, lat, 1, NEAREST_KM).flatMap((at) => this.distant(at, lat, lon));
    if (!first) return undefined;
    const nearest = nearestInCity(this.within(Math.min(first.km + SAME_KM, NEAREST_KM), lat, lon));
    return nearest && placeOf(nearest);
  }

  /** In row order. */
  private within(km: number, lat: number, lon: number): Distant[] {
    const north = km * DEGREES_PER_KM;
    const east = north / Math.cos(lat * RADIANS);
    const box = this.tree.range(lon - east, lat - north, lon + east, lat + north);
    return box
      .sort((a, b) => a - b)
      .flatMap((at) => this.distant(at, lat, lon))
      .filter((distant) => distant.km < km);
  }

  private distant(at: number, lat: number, lon: number): Distant[] {
    const row = this.rows[at];
    return row ? [{ row, km: distance(lon, lat, row.lon, row.lat) }] : [];
  }
}

type Distant = Readonly<{ row: PostalRow; km: number }>;

function nearestInCity(around: readonly Distant[]): PostalRow | undefined {
  const cities = new Map<string, { codes: number; nearest: Distant }>();
  for (const distant of around) {
    const name = `${distant.row.city}, ${distant.row.state}`;
    const city = cities.get(name) ?? { codes: 0, nearest: distant };
    city.codes++;
    if (distant.km < city.nearest.km) city.nearest = distant;
    cities.set(name, city);
  }
  const [first] = [...cities.values()].toSorted((a, b) => b.codes - a.codes || a.nearest.km - b.nearest.km);
  return first?.nearest.row;
}

/** `New York, NY` in the US and Canada, else `London, GB`. */
export const displayName = ({ city, state, country }: Pick<Place, 'city' | 'state' | 'country'>): string | null =>
  [city, state ?? country].filter(Boolean).join(', ') || null;

function placeOf({ country, code, city, state, lat, lon }: PostalRow): Place {
  return { lat, lon, city, state, country, postal_code: code, display_name: displayName({ city, state, country }) };
}
