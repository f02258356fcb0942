import type { Clock } from '#ambient/clock';
import { createPool } from '#database/pool';
import { Listings } from '#inventory/listings';
import { loadSampleListings } from '#inventory/sample-listings';

/** Puts the sample listings on sale on the first start; answers with how many were put. */
export async function loadSampleData(databaseUrl: string, clock: Clock): Promise<number> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall sample data', onError });
  try {
    return await loadSampleListings(new Listings(pool, clock), clock);
  } finally {
    await pool.end();
  }
}
