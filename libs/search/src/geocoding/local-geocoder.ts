import { Inject, Injectable } from '@nestjs/common';
import maxmind, { type CityResponse, type Reader } from 'maxmind';
import { Pool } from 'pg';
import { PostalCodes, type PostalRow } from '#catalogue/postal-codes';
import { Settings } from '#config/settings';
import { Clock } from '#runtime/clock';
import { Geocoder, type Place } from '../query/place.js';
import { displayName, PostalPlaces } from './postal-places.js';

// An import of postal codes takes effect after this time at the latest.
const RECHECK_AFTER_MS = 1_000;

/** Postal codes of the database, held in memory (about 10 MB) from the first use on, and an mmdb file. */
@Injectable()
export class LocalGeocoder extends Geocoder {
  private postal: Promise<PostalPlaces> | undefined;
  private version: string | undefined;
  private checkedAt = -Infinity;
  private reader: Promise<Reader<CityResponse>> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly postalCodes: PostalCodes,
    private readonly clock: Clock,
    @Inject(Settings) private readonly settings: Pick<Settings, 'GEOIP_DB'>,
  ) {
    super();
  }

  async byPostalCode(code: string): Promise<Place | undefined> {
    return (await this.places()).find(code);
  }

  async byIp(address: string): Promise<Place | undefined> {
    const { GEOIP_DB: file } = this.settings;
    if (file === undefined || !maxmind.validate(address)) return undefined;
    this.reader ??= maxmind.open<CityResponse>(file);
    const reader = await this.reader;
    // A reader of an IPv4 file throws for IPv6 addresses.
    if (reader.metadata.ipVersion === 4 && address.includes(':')) return undefined;
    const found = reader.get(address);
    const { latitude: lat, longitude: lon } = found?.location ?? {};
    if (!found || lat === undefined || lon === undefined) return undefined;
    const place = {
      city: found.city?.names?.en ?? null,
      state: found.subdivisions?.[0]?.iso_code ?? null,
      country: found.country?.iso_code ?? null,
    };
    return { lat, lon, ...place, postal_code: found.postal?.code ?? null, display_name: displayName(place) };
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
