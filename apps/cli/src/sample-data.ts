import type { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Catalogue } from '#discovery/catalogue';
import { type SampleCatalogue, writeSampleCatalogue } from '#discovery/sample-catalogue';
import { sampleStockFor } from '#listings/sample-stock';
import { Listings } from '#listings/listings';
import { putSampleListings } from '#listings/sample-listings';
import type { SampleClient } from '#desk/sample-sales';
import { sampleColleagues } from '#desk/sample-steps';
import { isSampleRemoved, sampleLoaded } from '#desk/sample-mark';
import { withPool } from './database/with-pool.js';

const PURPOSE = 'sample data';
const BATCH_SIZE = 500;

// The same key in every process that loads sample data into this database.
const LOAD_LOCK = 8147;

type Loaded = { events: number; listings: number };

/**
 * Writes the sample catalogue, the sample listings and, for a client, sample orders on the first start, and returns how many. The next
 * start completes a load that was killed. Of several concurrent loads one does the work, and the others wait.
 */
export function loadSampleData(databaseUrl: string, clock: Clock, client?: SampleClient): Promise<Loaded> {
  return withPool(databaseUrl, PURPOSE, async (pool) => {
    const lock = await pool.connect();
    try {
      await lock.query('select pg_advisory_lock($1)', [LOAD_LOCK]);
      return await loadLocked(pool, clock, client);
    } finally {
      lock.release(true);
    }
  });
}

async function loadLocked(pool: Pool, clock: Clock, client: SampleClient | undefined): Promise<Loaded> {
  if (await isSampleRemoved(pool)) return { events: 0, listings: 0 };
  const catalogue = new Catalogue(pool, clock);
  const listings = new Listings(pool, clock);
  const { rowCount: begun } = await pool.query('select from sample_data_load');
  const hasEvents = !begun && (await catalogue.hasEvents());
  const hasListings = !begun && (await listings.hasListings());
  // Next to other data a load is not resumed, because it could not be told apart from that data.
  if (!begun && !hasEvents && !hasListings) await pool.query('insert into sample_data_load default values');
  const events = hasEvents ? [] : await writeSampleCatalogue(catalogue, clock, client?.settings.PUBLIC_URL);
  const loaded = hasListings ? 0 : await putOnSale(listings, events, clock);
  const sold = client && events.length > 0 && !hasListings ? await sell(pool, clock, client, events) : 0;
  if (begun || events.length > 0 || loaded > 0) await sampleLoaded(pool);
  await pool.query('delete from sample_data_load');
  return { events: events.length, listings: loaded + sold };
}

async function putOnSale(listings: Listings, events: SampleCatalogue['events'], clock: Clock): Promise<number> {
  const stock = sampleStockFor(events, clock.now());
  const written = await putSampleListings(listings, clock);
  for (let from = 0; from < stock.length; from += BATCH_SIZE) {
    await listings.putAll(stock.slice(from, from + BATCH_SIZE));
  }
  return written + stock.length;
}

async function sell(
  pool: Pool,
  clock: Clock,
  client: SampleClient,
  events: SampleCatalogue['events'],
): Promise<number> {
  // Loaded here, because it imports the whole order core, which only the first start needs.
  const { writeSampleOrders } = await import('#desk/sample-orders');
  return writeSampleOrders(pool, clock, client, events);
}

/** Does nothing before there is an operator: the administrator of the settings is created only while there is none. */
export async function nameSampleColleagues(databaseUrl: string): Promise<void> {
  await withPool(databaseUrl, PURPOSE, (pool) => pool.query(NAME_COLLEAGUES, [JSON.stringify(sampleColleagues)]));
}

// As removed operators: history names them, and nobody can sign in as them.
const NAME_COLLEAGUES = `
  insert into operators (id, email, name, roles, state, created_at)
  select id, email, name, '{support}', 'removed', now()
  from json_to_recordset($1) as sample (id text, email text, name text)
  where exists (select from operators) and exists (select from status_history where actor = 'operator:' || id)
  on conflict (id) do nothing`;
