import { GeoPlaces, type Place } from '#catalogue/search/place';

/** Knows points and nothing else. */
export class PointPlaces extends GeoPlaces {
  async byPostalCode(): Promise<Place | undefined> {
    return undefined;
  }

  async byIp(): Promise<Place | undefined> {
    return undefined;
  }

  async at(lat: number, lon: number): Promise<Place> {
    return { lat, lon, city: null, state: null, country: null, postal_code: null, display_name: null };
  }
}
