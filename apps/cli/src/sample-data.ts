import type { Clock } from '#ambient/clock';
import { Catalogue } from '#catalogue/catalogue';
import { loadSampleCatalogue } from '#catalogue/sample/sample-catalogue';
import { sampleStockFor } from '#catalogue/sample/sample-stock';
import { createPool } from '#database/pool';
import { Listings } from '#inventory/listings';
import { loadSampleListings } from '#inventory/sample-listings';

/** What one statement puts on sale. */
const LISTINGS_AT_ONCE = 500;

/** Writes the sample catalogue and puts the sample listings on sale on the first start; answers with how many of both. */
export async function loadSampleData(databaseUrl: string, clock: Clock): Promise<{ events: number; listings: number }> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall sample data', onError });
  try {
    const events = await loadSampleCatalogue(new Catalogue(pool, clock), clock);
    const listings = new Listings(pool, clock);
    const written = await loadSampleListings(listings, clock);
    const stock = written > 0 ? sampleStockFor(events, clock.now()) : [];
    for (let from = 0; from < stock.length; from += LISTINGS_AT_ONCE) {
      await listings.putAll(stock.slice(from, from + LISTINGS_AT_ONCE));
    }
    return { events: events.length, listings: written + stock.length };
  } finally {
    await pool.end();
  }
}
