import { Injectable } from '@nestjs/common';
import { Geocoder, type Near, type Place } from '#search/query/place';
import type { PlaceRequest, Whereabouts } from './place-arguments.js';

/** What `meta.geolocation` shows. */
export type Geolocation = Place & Readonly<{ range: string }>;

export type Located = Readonly<{ near: Near; geolocation: Geolocation }>;

/** Turns what a request says of a place into the circle to search in. */
@Injectable()
export class PlaceFinder {
  constructor(private readonly places: Geocoder) {}

  /** Nothing when nothing was asked for, or when no place is known for it: then the answer is not narrowed. */
  async find(request: PlaceRequest | undefined, callerIp: string): Promise<Located | undefined> {
    const place = request && (await this.#place(request.whereabouts, callerIp));
    if (!place) return undefined;
    const { lat, lon, ...named } = place;
    const { metres, text } = request.range;
    return { near: { lat, lon, rangeMetres: metres }, geolocation: { lat, lon, range: text, ...named } };
  }

  #place(whereabouts: Whereabouts, callerIp: string): Promise<Place | undefined> {
    switch (whereabouts.by) {
      case 'point':
        return this.places.byPoint(whereabouts.lat, whereabouts.lon);
      case 'postal code':
        return this.places.byPostalCode(whereabouts.code);
      case 'address':
        return this.places.byIp(plainAddress(whereabouts.ip));
      case 'caller':
        return this.places.byIp(plainAddress(callerIp));
    }
  }
}

/** A socket of both families tells IPv4 addresses as `::ffff:192.0.2.1`. */
function plainAddress(ip: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
}
