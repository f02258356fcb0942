import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { EventStore } from '#event-store/event-store';
import { Listings } from '#listings/listings';
import { ORDER_STREAM } from '../order-stream.js';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { listingBody } from '../../../../test/support/listing-body.js';
import { CardDataPolicy } from '../card-data-policy.js';
import { OrderRules } from '../order-changes.js';
import { PurchaseCheck } from '../purchase-check.js';
import { PurchaseDrafts, type ScreenedDrafts } from '../purchase-drafts.js';
import { PurchaseError } from './purchase-error.js';
import { PurchaseKeys } from '../purchase-keys.js';
import type { PurchasePayment } from './purchase-payment.js';
import { loadStatusCatalogue } from '../status-catalogue-file.js';
import { SubmitPurchaseHandler } from './submit-purchase.handler.js';
import { SubmitPurchase } from './submit-purchase.js';

let database: TestDatabase;
let pool: Pool;
let purchases = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** One api process with its own cache of listings. */
function process() {
  const [clock, ids, randomness] = [new SystemClock(), new TimeOrderedIds(), new SystemRandomness()];
  const listings = new Listings(pool, clock);
  const handler = new SubmitPurchaseHandler(
    new PurchaseCheck(listings, new PurchaseKeys(pool), clock, new CardDataPolicy(parseSettings({}))),
    unscreened(new PurchaseDrafts(ids, new Sealer(Buffer.alloc(32), randomness), parseSettings({}))),
    undefined as unknown as PurchasePayment,
    new EventStore(pool, ORDER_STREAM, clock, ids),
    new OrderRules(loadStatusCatalogue()),
  );
  return {
    listings,
    buy: (listingId: string, quantity: number, price = 90) => buy(handler, listingId, quantity, price),
  };
}

/** Without fraud rules and policies. */
function unscreened(drafts: PurchaseDrafts): ScreenedDrafts {
  return { draft: (checked, submission) => Promise.resolve(drafts.draft(checked, submission)) };
}

/** Undefined after a sale, else the codes of the rejection. */
async function buy(handler: SubmitPurchaseHandler, listingId: string, quantity: number, price: number) {
  const ref_id = `ref-${(purchases += 1)}`;
  const product = { event_id: '1001', listing_id: listingId, quantity, total: price * quantity };
  const submission = { clientId: 'c', transaction: { id: ref_id, ours: false }, rawBody: Buffer.alloc(0) };
  try {
    await handler.execute(new SubmitPurchase('wholesale', { product, ref_id }, submission));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof PurchaseError) return thrown.issues.map(({ code }) => code);
    throw thrown;
  }
}

describe('the seats of purchases', () => {
  const sold = async (listingId: string) => {
    const text = `select seat from orders, json_array_elements_text(stock_seats) with ordinality as s (seat, at)
      where listing_id = $1 order by placed_at, id, at`;
    return (await pool.query<{ seat: string }>(text, [listingId])).rows.map(({ seat }) => seat);
  };

  it('are the first free ones of the listing, and numbers where it names too few', async () => {
    const { listings, buy: buyHere } = process();
    await listings.put('rows', listingBody({ quantity: 5, seats: ['12', '11', '10'] }));
    for (const quantity of [2, 2, 1]) expect(await buyHere('rows', quantity)).toBeUndefined();
    expect(await sold('rows')).toEqual(['12', '11', '10']);
    expect((await listings.find('rows'))?.heldSeats.toSorted()).toEqual(['10', '11', '12']);
  });

  it('all differ, whoever buys at the same time and wherever', async () => {
    const seats = Array.from({ length: 60 }, (_, index) => `A${index + 1}`);
    const processes = [process(), process(), process()];
    await processes[0]!.listings.put('rush', listingBody({ quantity: 60, seats }));
    const purchases = Array.from({ length: 66 }, (_, index) => processes[index % 3]!.buy('rush', 1));
    const refused = (await Promise.all(purchases)).filter((codes) => codes !== undefined);
    expect(refused).toHaveLength(6);
    expect((await sold('rush')).toSorted()).toEqual(seats.toSorted());
  });

  it('cost no statement beside the reading of the listing and the one that takes the stock', async () => {
    const { listings, buy: buyHere } = process();
    const read = async (id: string, body: ReturnType<typeof listingBody>) => {
      await listings.put(id, body);
      const query = vi.spyOn(pool, 'query');
      expect(await buyHere(id, 2)).toBeUndefined();
      // The doorbell's statement has no name.
      const names = query.mock.calls.flatMap(([config]) => (config as { name?: string }).name ?? []);
      query.mockRestore();
      return names;
    };
    const named = await read('with-seats', listingBody({ seats: ['1', '2', '3', '4'] }));
    expect(named).toEqual(await read('without-seats', listingBody()));
    expect(named).toHaveLength(2);
  });
});

describe('a purchase of a listing that is in the cache of this process', () => {
  let here: ReturnType<typeof process>;
  let elsewhere: ReturnType<typeof process>;

  beforeAll(() => {
    here = process();
    elsewhere = process();
  });

  it('uses the price that another process has set meanwhile', async () => {
    await here.listings.put('price', listingBody());
    expect(await here.buy('price', 1)).toBeUndefined();
    await elsewhere.listings.put('price', listingBody({ wholesale_price: 95 }));
    expect(await here.buy('price', 1)).toEqual([40026]);
    expect(await here.buy('price', 1, 95)).toBeUndefined();
  });

  it('fails if the listing was withdrawn or sold out meanwhile, and succeeds if it came back', async () => {
    await here.listings.put('stock', listingBody({ quantity: 4 }));
    expect(await here.buy('stock', 1)).toBeUndefined();
    expect(await elsewhere.buy('stock', 2)).toBeUndefined();
    expect(await here.buy('stock', 2)).toEqual([40011]);
    expect(await elsewhere.buy('stock', 1)).toBeUndefined();
    expect(await here.buy('stock', 1)).toEqual([40014]);
    await elsewhere.listings.put('stock', listingBody({ quantity: 4 }));
    expect(await here.buy('stock', 2)).toBeUndefined();
    await elsewhere.listings.withdraw('stock');
    expect(await here.buy('stock', 1)).toEqual([40014]);
  });

  it('follows the split rule for the tickets that are left now', async () => {
    await here.listings.put('split', listingBody({ quantity: 5, split_rule: 'no_single_left' }));
    expect(await here.buy('split', 1)).toBeUndefined();
    expect(await elsewhere.buy('split', 1)).toBeUndefined();
    expect(await here.buy('split', 2)).toEqual([40011]);
    expect(await here.buy('split', 3)).toBeUndefined();
  });

  it('reads a listing once for many purchases', async () => {
    await here.listings.put('often', listingBody({ quantity: 100 }));
    const find = vi.spyOn(here.listings, 'find');
    for (let purchase = 0; purchase < 5; purchase += 1) expect(await here.buy('often', 1)).toBeUndefined();
    expect(find).toHaveBeenCalledTimes(1);
  });
});
