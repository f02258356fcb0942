import { readFile } from 'node:fs/promises';
import { TimeZoneMap } from './time-zones/time-zone-map.js';

export type VenuePlace = Readonly<{ time_zone: string | null; lat: number | null; lon: number | null }>;

const BORDERS = new URL('./time-zones/borders.bin', import.meta.url);

let map: Promise<TimeZoneMap> | undefined;

/** The time zone of a venue: the one that the catalogue gives, or else the one of its coordinates. Undefined without both. */
export async function timeZoneOf({ time_zone: given, lat, lon }: VenuePlace): Promise<string | undefined> {
  if (given !== null) return given;
  if (lat === null || lon === null) return undefined;
  // On demand, because few processes need it.
  map ??= readFile(BORDERS).then((file) => TimeZoneMap.read(file));
  return (await map).zoneAt(lat, lon);
}
