/** The mean one; on such a sphere distances are off by half a percent at most. */
export const EARTH_RADIUS_METRES = 6_371_008.8;

/** In a degree. */
export const RADIANS = Math.PI / 180;

/** A circle on the earth: degrees, and metres along its surface. */
export type Near = Readonly<{ lat: number; lon: number; rangeMetres: number }>;

/** As `meta.geolocation` tells it, but for the range; what is unknown is null. `country` and `state` are codes of two letters. */
export type Place = Readonly<{
  lat: number;
  lon: number;
  city: string | null;
  state: string | null;
  country: string | null;
  postal_code: string | null;
  display_name: string | null;
}>;

/** Where a caller is, or says to be. */
export abstract class GeoPlaces {
  /** A US ZIP code (`10001`, `10001-1234`) or a Canadian postal code (`M5V 1J1`, `m5v`), spaces and case aside. */
  abstract byPostalCode(code: string): Promise<Place | undefined>;
  /** IPv4 or IPv6; nothing without the file of `GEOIP_DB`, or when the file does not know a place for it. */
  abstract byIp(address: string): Promise<Place | undefined>;
  /** The point itself, named after the nearest postal code within 25 km. */
  abstract at(lat: number, lon: number): Promise<Place>;
}
