import { Inject, Injectable } from '@nestjs/common';
import maxmind, { type Reader, type Response } from 'maxmind';
import { z } from 'zod';
import { Settings } from '#base/settings';
import { Logger } from '#platform/logger';
import { Clock } from '#base/clock';
import type { Place } from './search/query/place.js';
import { displayName } from './search/geocoding/postal-places.js';

// A file of 60 MB that cannot be read must not be read again for each request.
const REOPEN_AFTER_MS = 60_000;

const name = z.string().optional();
/** The parts of a GeoIP2 City record that a place needs. Files of other kinds lack some or all of them. */
const CityRecord = z.object({
  city: z.object({ names: z.object({ en: name }).optional() }).optional(),
  subdivisions: z.array(z.object({ iso_code: name })).optional(),
  country: z.object({ iso_code: name }).optional(),
  postal: z.object({ code: name }).optional(),
  location: z
    .object({ latitude: z.number().min(-90).max(90).optional(), longitude: z.number().min(-180).max(180).optional() })
    .optional(),
});
type CityRecord = z.infer<typeof CityRecord>;

/** Places of IP addresses, from the mmdb file of `GEOIP_DB`. A damaged file finds no place, and the log says so once. */
@Injectable()
export class IpPlaces {
  private reader: Promise<Reader<Response>> | undefined;
  private failedAt: number | undefined;
  private isDamageLogged = false;

  constructor(
    @Inject(Settings) private readonly settings: Pick<Settings, 'GEOIP_DB'>,
    @Inject(Logger) private readonly log: Pick<Logger, 'warn'>,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined for addresses that the file does not know, and for what is no address. */
  async find(address: string): Promise<Place | undefined> {
    const { GEOIP_DB: file } = this.settings;
    if (file === undefined || !maxmind.validate(address)) return undefined;
    try {
      const reader = await this.opened(file);
      // A reader of an IPv4 file throws for IPv6 addresses.
      if (reader.metadata.ipVersion === 4 && address.includes(':')) return undefined;
      const record = reader.get(address);
      return record === null ? undefined : placeOf(CityRecord.parse(record));
    } catch (error) {
      this.logDamage(error);
      return undefined;
    }
  }

  private opened(file: string): Promise<Reader<Response>> {
    const mayReopen = this.failedAt !== undefined && this.clock.now() - this.failedAt >= REOPEN_AFTER_MS;
    if (mayReopen) this.reader = this.failedAt = undefined;
    this.reader ??= maxmind.open(file).catch((error: unknown) => {
      this.failedAt = this.clock.now();
      throw error;
    });
    return this.reader;
  }

  /** Without the address, which is personal data. */
  private logDamage(error: unknown): void {
    if (this.isDamageLogged) return;
    this.isDamageLogged = true;
    const reason = error instanceof z.ZodError ? 'a record has an unknown form' : (error as Error).message;
    this.log.warn(
      { reason },
      'The file of GEOIP_DB is damaged: some IP addresses have no place. Replace it and restart.',
    );
  }
}

function placeOf(record: CityRecord): Place | undefined {
  const { latitude: lat, longitude: lon } = record.location ?? {};
  if (lat === undefined || lon === undefined) return undefined;
  const place = {
    city: record.city?.names?.en ?? null,
    state: record.subdivisions?.[0]?.iso_code ?? null,
    country: record.country?.iso_code ?? null,
  };
  return { lat, lon, ...place, postal_code: record.postal?.code ?? null, display_name: displayName(place) };
}
