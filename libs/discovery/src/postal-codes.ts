import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Place } from 'zipcodes';
import type { PostalCodeLine } from './catalogue.contract.js';
import { inTransaction } from '#database/transaction';
import { provinceCode } from './catalogue/writing/place-words.js';

const BATCH_SIZE = 2_000;

/** A row of discovery_postal_codes. */
export type PostalRow = Readonly<{
  country: string;
  code: string;
  city: string | null;
  state: string | null;
  lat: number;
  lon: number;
}>;

/** The places of US and Canadian postal codes: those of the package zipcodes, overridden by imported ones. */
@Injectable()
export class PostalCodes {
  private loading: Promise<void> | undefined;

  constructor(private readonly pool: Pool) {}

  /** Loads the bundled codes into the database once (about 0.5 s). Later calls cost one quick query. */
  ensureLoaded(): Promise<void> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  /** Writes codes that override the bundled ones. */
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
    // The 5 MB module takes 90 MB of memory, so it is loaded only where it is needed.
    const { default: zipcodes } = await import('zipcodes');
    const rows = Object.values(zipcodes.codes).filter(hasLocation).map(toRow);
    // All or none: areLoaded looks at one row. On a slow machine they take longer than a request may, or wait for another process's.
    await inTransaction(this.pool, async (client) => {
      await client.query('set local statement_timeout = 0; set local lock_timeout = 0');
      for (let from = 0; from < rows.length; from += BATCH_SIZE) {
        await client.query(ADD, [JSON.stringify(rows.slice(from, from + BATCH_SIZE))]);
      }
    });
  }
}

type Located = Place & { latitude: number; longitude: number };

/** Nine entries have no coordinates, because their columns are shifted. Half of the military codes are at 0, 0. */
function hasLocation(place: Place): place is Located {
  const { latitude, longitude } = place;
  return latitude !== null && longitude !== null && (latitude !== 0 || longitude !== 0);
}

function toRow({ zip, city, state, country, latitude, longitude }: Located): PostalRow {
  const place = { code: zip, city, lat: latitude, lon: longitude };
  if (country !== 'Canada') return { ...place, country, state };
  // The package says 'Nunavut Territory' and 'Northwest Territory'.
  const province = state === 'Northwest Territory' ? 'Northwest Territories' : state.replace(/ Territory$/, '');
  return { ...place, country: 'CA', state: provinceCode(province) ?? null };
}

function rowOf(line: PostalCodeLine): PostalRow {
  const { city = null, state = null, lat, lon } = line;
  const country = line.country.toUpperCase();
  const code = line.postal_code.replaceAll(/[ -]/g, '').toUpperCase();
  return { country, code: code.slice(0, LENGTHS[country]), city, state, lat, lon };
}

/** Length of the part that is looked up: a ZIP code without its four extra digits, a Canadian forward sortation area. */
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
