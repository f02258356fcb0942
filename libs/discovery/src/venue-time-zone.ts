import { LRUCache } from 'lru-cache';

export type VenuePlace = Readonly<{ time_zone: string | null; lat: number | null; lon: number | null }>;

// An area that was looked up takes some 100 kB. A catalogue of all the world's venues must not keep them all.
const AREAS_IN_MEMORY = 50;

type GeoTz = typeof import('geo-tz');
let geoTz: Promise<GeoTz> | undefined;

/**
 * The time zone of a venue: the one that the catalogue gives, or else the one of its coordinates. Undefined without both. All 789 events of
 * the real catalogue agree with geo-tz; `@photostructure/tz-lookup` is a thousandth of its size, but wrong near borders.
 */
export async function timeZoneOf({ time_zone: given, lat, lon }: VenuePlace): Promise<string | undefined> {
  if (given !== null) return given;
  if (lat === null || lon === null) return undefined;
  geoTz ??= load();
  return (await geoTz).find(lat, lon)[0];
}

/** On demand, because few processes need it. */
async function load(): Promise<GeoTz> {
  const loaded = await import('geo-tz');
  loaded.setCache({ store: new LRUCache<string, object>({ max: AREAS_IN_MEMORY }) });
  return loaded;
}
