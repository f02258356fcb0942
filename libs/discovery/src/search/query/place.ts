/** The mean radius. Distances on this sphere are off by half a percent at most. */
export const EARTH_RADIUS_METRES = 6_371_008.8;

export const RADIANS = Math.PI / 180;

/** In degrees and metres. */
export type Near = Readonly<{ lat: number; lon: number; rangeMetres: number }>;

/** As in `meta.geolocation`, without the range. Unknown values are null. `country` and `state` are two-letter codes. */
export type Place = Readonly<{
  lat: number;
  lon: number;
  city: string | null;
  state: string | null;
  country: string | null;
  postal_code: string | null;
  display_name: string | null;
}>;

export abstract class Geocoder {
  /** A US ZIP code (`10001`, `10001-1234`) or a Canadian postal code (`M5V 1J1`, `m5v`). Ignores spaces and case. */
  abstract byPostalCode(code: string): Promise<Place | undefined>;
  /** IPv4 or IPv6. Undefined without the file of `GEOIP_DB`, or if the file has no place for the address. */
  abstract byIp(address: string): Promise<Place | undefined>;
  /** The point itself, with the name of the nearest postal code within 25 km. */
  abstract byPoint(lat: number, lon: number): Promise<Place>;
}
