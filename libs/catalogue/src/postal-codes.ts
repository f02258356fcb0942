import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Place } from 'zipcodes';
import type { PostalCodeLine } from '#contracts/backoffice/catalogue';
import { provinceCode } from './writing/place-words.js';

/** A row of discovery_postal_codes. */
export type PostalRow = Readonly<{
  country: string;
  code: string;
  city: string | null;
  state: string | null;
  lat: number;
  lon: number;
}>;

/** Where postal codes of the US and Canada are: those of the package zipcodes, and over them what was imported. */
@Injectable()
export class PostalCodes {
  private loading: Promise<void> | undefined;

  constructor(private readonly pool: Pool) {}

  /** Puts what Willcall brings along into the database, where that was not done yet (some 0.5 s); else one quick query. */
  ensureLoaded(): Promise<void> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  /** Writes codes that win over those that Willcall brings along. */
  async put(lines: readonly PostalCodeLine[]): Promise<void> {
    const rows = lines.map(rowOf).map((row) => [`${row.country} ${row.code}`, row] as const);
    await this.pool.query(PUT, [JSON.stringify([...new Map(rows).values()])]);
  }

  async areLoaded(): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from discovery_postal_codes where not imported limit 1');
    return rowCount !== 0;
  }

  private async load(): Promise<void> {
    if (await this.areLoaded()) return;
    // 5 MB of source, which no other process should read: they take 90 MB of memory.
    const { default: zipcodes } = await import('zipcodes');
    await this.pool.query(ADD, [JSON.stringify(Object.values(zipcodes.codes).filter(isSomewhere).map(known))]);
  }
}

type Located = Place & { latitude: number; longitude: number };

/** Nine have none: their columns are shifted. Of half of the military ones it is not told: they are put where nobody lives. */
function isSomewhere(place: Place): place is Located {
  const { latitude, longitude } = place;
  return latitude !== null && longitude !== null && (latitude !== 0 || longitude !== 0);
}

function known({ zip, city, state, country, latitude, longitude }: Located): PostalRow {
  const place = { code: zip, city, lat: latitude, lon: longitude };
  if (country !== 'Canada') return { ...place, country, state };
  // 'Nunavut Territory'; 'Northwest Territory' is one of several.
  const province = state === 'Northwest Territory' ? 'Northwest Territories' : state.replace(/ Territory$/, '');
  return { ...place, country: 'CA', state: provinceCode(province) ?? null };
}

function rowOf(line: PostalCodeLine): PostalRow {
  const { city = null, state = null, lat, lon } = line;
  const country = line.country.toUpperCase();
  const code = line.postal_code.replaceAll(/[ -]/g, '').toUpperCase();
  return { country, code: code.slice(0, LENGTHS[country]), city, state, lat, lon };
}

/** Of the part of a code that is looked up: a ZIP code without its four more digits, a Canadian sorting area. */
const LENGTHS: Readonly<Record<string, number>> = { US: 5, CA: 3 };

const ROWS = `json_to_recordset($1::json)
  as given (country text, code text, city text, state text, lat float8, lon float8)`;

const ADD = `
  insert into discovery_postal_codes (country, code, city, state, lat, lon, imported)
  select country, code, city, state, lat, lon, false from ${ROWS}
  on conflict do nothing`;

const PUT = `
  insert into discovery_postal_codes (country, code, city, state, lat, lon, imported)
  select country, code, city, state, lat, lon, true from ${ROWS} order by country, code
  on conflict (country, code) do update set city = excluded.city, state = excluded.state,
    lat = excluded.lat, lon = excluded.lon, imported = true`;
