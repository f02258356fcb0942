import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { listingBody } from '../../../test/support/listing-body.js';
import { documentOf } from './listing.js';
import { Listings } from './listings.js';
import { putSampleListings } from './sample-listings.js';

let database: TestDatabase;
let pool: Pool;
let clock: FixedClock;
let listings: Listings;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 8, applicationName: 'test', onError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(async () => {
  clock = new FixedClock('2026-11-21T12:00:00.000Z');
  listings = new Listings(pool, clock);
  await asOwner('truncate listings');
});

/** The application may not delete listings. */
async function asOwner(sql: string): Promise<void> {
  const owner = createPool({
    databaseUrl: database.url,
    max: 1,
    applicationName: 'test',
    onError: () => undefined,
    asOwner: true,
  });
  await owner.query(sql);
  await owner.end();
}

const everything = listingBody({
  seats: ['1', '2'],
  notes: 'Aisle – ünïcode 🎟',
  split_rule: [2, 4],
  price: 19.99,
  tax_rate: 0.05,
  tax_rates: { 'US-NY': 0.08875 },
  delivery_methods: [
    { type: 'ship', name: 'Courier', cost: 9.5, costs: { US: 9.5, 'US-HI': 25 } },
    { type: 'will_call', name: 'Box office', cost: 0 },
  ],
  confirmation: 'manual',
  confirm_within_minutes: 30,
  market_specific_fields: { nested: { list: [1, 'two', null] } },
});

describe('Listings', () => {
  it('returns the written listing after a PUT', async () => {
    const document = documentOf(await listings.put('lst-1', everything));
    expect(document).toEqual({
      listing_id: 'lst-1',
      ...everything,
      state: 'on_sale',
      held: 0,
      version: 1,
      withdrawn_at: null,
      created_at: '2026-11-21T12:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
    });
    expect(documentOf((await listings.read('lst-1'))!)).toEqual(document);
  });

  it('finds a listing with its prices in cents', async () => {
    await listings.put('lst-1', everything);
    expect(await listings.find('lst-1')).toMatchObject({
      id: 'lst-1',
      version: 1,
      available: 10,
      offered: 10,
      withdrawnAt: null,
      splitRule: [2, 4],
      priceCents: 1999,
      taxRates: { 'US-NY': 0.08875 },
      deliveryMethods: [{ costCents: 950, costsCents: { US: 950, 'US-HI': 2500 } }, { type: 'will_call' }],
    });
  });

  it('keeps the columns of the stock in agreement with the terms', async () => {
    await listings.put('lst-1', everything);
    await listings.put('lst-2', listingBody({ split_rule: 'all_together', event_id: '7' }));
    const { rows } = await pool.query('select event_id, split_rule from listings order by id');
    expect(rows).toEqual([
      { event_id: '1001', split_rule: '[2,4]' },
      { event_id: '7', split_rule: 'all_together' },
    ]);
  });

  it('does not find an unknown listing', async () => {
    expect(await listings.find('nope')).toBeUndefined();
    expect(await listings.read('nope')).toBeUndefined();
    expect(await listings.withdraw('nope')).toBeUndefined();
    expect(await listings.hasListings()).toBe(false);
  });

  it('adds the new quantity to the tickets in orders', async () => {
    await listings.put('lst-1', listingBody({ quantity: 10 }));
    await pool.query(`update listings set available = available - 3 where id = 'lst-1'`);
    clock.advance(1_000);
    const again = await listings.put('lst-1', listingBody({ quantity: 5 }));
    expect(again).toMatchObject({ version: 2, available: 5, offered: 8 });
    expect(documentOf(again)).toMatchObject({ quantity: 5, held: 3 });
    expect(again.createdAt.getTime()).toBe(clock.now() - 1_000);
    expect(again.updatedAt.getTime()).toBe(clock.now());
  });

  it('withdraws once, and puts the listing on sale again', async () => {
    await listings.put('lst-1', listingBody());
    clock.advance(1_000);
    const withdrawn = await listings.withdraw('lst-1');
    expect(withdrawn).toMatchObject({ version: 2, available: 10, withdrawnAt: new Date(clock.now()) });
    clock.advance(1_000);
    expect(await listings.withdraw('lst-1')).toEqual(withdrawn);
    expect(await listings.find('lst-1')).toMatchObject({ version: 2, withdrawnAt: withdrawn?.withdrawnAt });
    expect(await listings.put('lst-1', listingBody())).toMatchObject({ version: 3, withdrawnAt: null });
  });

  it('writes many listings at once, each like a PUT', async () => {
    await listings.put('b', listingBody());
    await listings.putAll(['c', 'b', 'a'].map((id) => ({ id, body: listingBody({ quantity: 2 }) })));
    const found = await Promise.all(['a', 'b', 'c'].map((id) => listings.find(id)));
    expect(found.map((listing) => [listing?.version, listing?.available])).toEqual([
      [1, 2],
      [2, 2],
      [1, 2],
    ]);
  });

  it('writes no listing of another seller, whatever the caller has looked at before', async () => {
    const before = await listings.put('theirs', listingBody({ seller: 'Back Row' }));
    const none = await listings.put('none', listingBody());
    const own = listingBody({ seller: 'Front Row', quantity: 3 });
    const ids = ['theirs', 'none', 'new'];
    expect(await listings.putOwn('theirs', own, ['Front Row'])).toBeUndefined();
    expect(await listings.change(before, own, 3, ['Front Row'])).toBeUndefined();
    expect(await listings.withdraw('theirs', ['Front Row'])).toBeUndefined();
    const given = ids.map((id) => ({ id, body: own }));
    expect(await listings.putAll(given, ['Front Row'])).toEqual(new Set(['theirs', 'none']));
    expect(await listings.read('theirs', ['Front Row'])).toBeUndefined();
    expect([await listings.read('theirs'), await listings.read('none')]).toEqual([before, none]);
    expect(await listings.read('new', ['Front Row', 'Side'])).toMatchObject({ version: 1, seller: 'Front Row' });
    expect(await listings.putOwn('new', own, ['Front Row'])).toMatchObject({ version: 2 });
    expect(await listings.withdraw('new', ['Front Row'])).toMatchObject({ version: 3 });
  });

  it('does not deadlock when two imports have the same listings in opposite order', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `lst-${index}`);
    const forwards = ids.map((id) => ({ id, body: listingBody() }));
    const backwards = forwards.toReversed();
    await Promise.all(Array.from({ length: 12 }, (_, n) => listings.putAll(n % 2 ? forwards : backwards)));
    expect(await listings.find('lst-0')).toMatchObject({ version: 12, available: 10, offered: 10 });
  });
});

describe('putSampleListings', () => {
  it('puts listings on sale', async () => {
    expect(await putSampleListings(listings, clock)).toBeGreaterThanOrEqual(20);
    expect(await listings.find('demo-payment-1')).toMatchObject({ version: 1, available: 40, eventId: '1001' });
  });
});
