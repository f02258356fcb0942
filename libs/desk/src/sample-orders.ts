import type { Pool } from 'pg';
import { inTransaction } from '#database/transaction';
import { writePastDeliveries } from '#outbound/past-deliveries';
import type { Clock } from '#base/clock';
import { SeededRandomness } from '#base/seeded-randomness';
import { Listings } from '#listings/listings';
import { type SampleShow, samplePlan } from './sample/sample-plan.js';
import { type SampleClient, SampleSales } from './sample-sales.js';
import { SampleClock } from './sample/sample-times.js';

const DAY_MS = 86_400_000;
const SEED = 20_261_122;

/**
 * Sells tickets of these shows in the weeks before now, through the rules of the domain with a clock that was set back. All orders are
 * written, or none. Their pings are written as delivered in the past, so nothing is sent.
 * @returns the number of new listings, zero if there are orders already
 */
export async function writeSampleOrders(
  pool: Pool,
  clock: Clock,
  client: SampleClient,
  shows: readonly SampleShow[],
): Promise<number> {
  const { rowCount } = await pool.query('select from orders limit 1');
  if (rowCount !== 0) return 0;
  const now = clock.now();
  const random = new SeededRandomness(SEED);
  const { listings: given, withdrawn, orders } = samplePlan(shows, now, random);
  const past = new SampleClock();
  past.set(now - 60 * DAY_MS);
  const listings = new Listings(pool, past);
  await listings.putAll(given);
  // Into the cache, because within the transaction there may be no second connection.
  await Promise.all(given.map(({ id }) => listings.find(id)));
  await inTransaction(pool, async (connection) => {
    await new SampleSales(connection, listings, client, random).run(orders);
    await writePastDeliveries(connection, now, random);
  });
  for (const id of withdrawn) await new Listings(pool, clock).withdraw(id);
  return given.length;
}
