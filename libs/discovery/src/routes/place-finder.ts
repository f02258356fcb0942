import { Injectable } from '@nestjs/common';
import { Geocoder, type Near, type Place } from '../search/query/place.js';
import type { PlaceRequest, SearchCentre } from './place-arguments.js';

export type Geolocation = Place & Readonly<{ range: string }>;

export type SearchArea = Readonly<{ near: Near; geolocation: Geolocation }>;

/** Resolves the place of a request into the circle to search in. */
@Injectable()
export class PlaceFinder {
  constructor(private readonly places: Geocoder) {}

  /** Undefined without a place in the request, or if the place is unknown. Then the search is not narrowed. */
  async find(request: PlaceRequest | undefined, callerIp: string): Promise<SearchArea | undefined> {
    const place = request && (await this.#place(request.centre, callerIp));
    if (!place) return undefined;
    const { lat, lon, ...named } = place;
    const { metres, text } = request.range;
    return { near: { lat, lon, rangeMetres: metres }, geolocation: { lat, lon, range: text, ...named } };
  }

  #place(centre: SearchCentre, callerIp: string): Promise<Place | undefined> {
    switch (centre.by) {
      case 'point':
        return this.places.byPoint(centre.lat, centre.lon);
      case 'postal code':
        return this.places.byPostalCode(centre.code);
      case 'address':
        return this.places.byIp(plainAddress(centre.ip));
      case 'caller':
        return this.places.byIp(plainAddress(callerIp));
    }
  }
}

/** A dual-stack socket reports IPv4 addresses as `::ffff:192.0.2.1`. */
function plainAddress(ip: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
}
