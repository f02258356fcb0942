import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { PostalCodes, type PostalRow } from './postal-codes.js';
import { Clock } from '#base/clock';
import { Geocoder, type Place } from './search/query/place.js';
import { IpPlaces } from './ip-places.js';
import { PostalPlaces } from './search/geocoding/postal-places.js';

// An import of postal codes takes effect after this time at the latest.
const RECHECK_AFTER_MS = 1_000;

/** Postal codes of the database, held in memory (about 10 MB) from the first use on, and places of IP addresses. */
@Injectable()
export class LocalGeocoder extends Geocoder {
  private postal: Promise<PostalPlaces> | undefined;
  private version: string | undefined;
  private checkedAt = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly postalCodes: PostalCodes,
    private readonly clock: Clock,
    private readonly ipPlaces: IpPlaces,
  ) {
    super();
  }

  async byPostalCode(code: string): Promise<Place | undefined> {
    return (await this.places()).find(code);
  }

  async byIp(address: string): Promise<Place | undefined> {
    return this.ipPlaces.find(address);
  }

  async byPoint(lat: number, lon: number): Promise<Place> {
    const nearest = (await this.places()).nearest(lat, lon);
    const unknown = { city: null, state: null, country: null, postal_code: null, display_name: null };
    return { ...(nearest ?? unknown), lat, lon };
  }

  reset(): void {
    this.postal = undefined;
    this.version = undefined;
    this.checkedAt = -Infinity;
  }

  private async places(): Promise<PostalPlaces> {
    if (this.clock.now() - this.checkedAt >= RECHECK_AFTER_MS) {
      this.checkedAt = this.clock.now();
      await this.postalCodes.ensureLoaded();
      const { rows } = await this.pool.query<{ version: string }>({
        name: 'postal-codes-version',
        text: `select changed_in::text as version from discovery_changes where kind = 'postal_codes'`,
      });
      if (this.version !== rows[0]?.version) this.postal = undefined;
      this.version = rows[0]?.version;
    }
    this.postal ??= this.read().catch((error: unknown) => {
      this.postal = undefined;
      throw error;
    });
    return this.postal;
  }

  private async read(): Promise<PostalPlaces> {
    const { rows } = await this.pool.query<PostalRow>(
      'select country, code, city, state, lat, lon from discovery_postal_codes',
    );
    return new PostalPlaces(rows);
  }
}
