import type { Pool } from 'pg';
import type { Clock } from '#runtime/clock';
import { Catalogue } from '#catalogue/catalogue';
import { type SampleCatalogue, writeSampleCatalogue } from '#catalogue/sample/sample-catalogue';
import { sampleStockFor } from '#catalogue/sample/sample-stock';
import { createPool } from '#database/pool';
import { Listings } from '#orders/listings/listings';
import { putSampleListings } from '#orders/listings/sample-listings';

/** What one statement puts on sale. */
const LISTINGS_AT_ONCE = 500;

// The same in every process that loads sample data into this database.
const LOAD_LOCK = 8144;

type Loaded = { events: number; listings: number };

/**
 * Writes the sample catalogue and puts the sample listings on sale on the first start; answers with how many of both. A
 * load that was killed half way is completed by the next one. Of several at once one loads, and the others wait for it.
 */
export async function loadSampleData(databaseUrl: string, clock: Clock): Promise<Loaded> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 2, applicationName: 'willcall sample data', onError });
  try {
    const lock = await pool.connect();
    try {
      // The other load may take longer than a statement may.
      await lock.query('set statement_timeout = 0');
      await lock.query('select pg_advisory_lock($1)', [LOAD_LOCK]);
      return await loadLocked(pool, clock);
    } finally {
      lock.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function loadLocked(pool: Pool, clock: Clock): Promise<Loaded> {
  const catalogue = new Catalogue(pool, clock);
  const listings = new Listings(pool, clock);
  const { rowCount: begun } = await pool.query('select from sample_data_load');
  const hasEvents = !begun && (await catalogue.hasEvents());
  const hasListings = !begun && (await listings.any());
  // Beside data of somebody else a load is not resumed: it could not be told from theirs.
  if (!begun && !hasEvents && !hasListings) await pool.query('insert into sample_data_load default values');
  const events = hasEvents ? [] : await writeSampleCatalogue(catalogue, clock);
  const loaded = hasListings ? 0 : await putOnSale(listings, events, clock);
  await pool.query('delete from sample_data_load');
  return { events: events.length, listings: loaded };
}

async function putOnSale(listings: Listings, events: SampleCatalogue['events'], clock: Clock): Promise<number> {
  const stock = sampleStockFor(events, clock.now());
  const written = await putSampleListings(listings, clock);
  for (let from = 0; from < stock.length; from += LISTINGS_AT_ONCE) {
    await listings.putAll(stock.slice(from, from + LISTINGS_AT_ONCE));
  }
  return written + stock.length;
}
