import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Clock } from '#base/clock';
import type { ListingBody } from './listing.contract.js';
import { BatchedLookup } from '#database/batched-lookup';
import { isViolationOf } from '#database/database-errors';
import { KeyedLimiter } from '#database/keyed-limiter';
import { retryWhileLocked } from '#database/lock-retry';
import { inTransaction } from '#database/transaction';
import { stringifyJson } from '#base/json';
import { listingLock } from './listing-lock.js';
import { type ListingTerms, type StoredListing, type Listing, termsOf } from './listing.js';

// A listing takes one to two kilobytes.
const MAX_CACHED_LISTINGS = 5_000;

/** The seller has given the external id to another listing. */
export class ExternalIdTaken extends Error {}

/** The stock projection changes what orders take. The methods that write throw `ExternalIdTaken`. */
@Injectable()
export class Listings {
  private readonly cache = new Map<string, Listing>();
  private readonly lookup = new BatchedLookup((ids: readonly string[]) => this.readFound(ids));

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Finds withdrawn listings too. */
  async find(id: string): Promise<Listing | undefined> {
    const row = await this.lookup.find(id);
    if (!row) return undefined;
    const found = this.complete(id, row);
    // Another lookup has read a later version in the meantime, or the listing was removed from the cache.
    if (!found) return await this.find(id);
    this.addToCache(found);
    return found;
  }

  /** May be old, but good enough to try a purchase: the stock projection takes stock of this version only. A rejection needs `find`. */
  cached(id: string): Listing | undefined {
    return this.cache.get(id);
  }

  /** Call this after a purchase found that the listing had changed. */
  invalidate(id: string): void {
    this.cache.delete(id);
  }

  /** Call this after the database was restored: the same version number may mean another version. */
  invalidateAll(): void {
    this.cache.clear();
  }

  /** For the back office. Undefined for a listing of others than these sellers; null: of any. */
  async read(id: string, sellers: Sellers = null): Promise<StoredListing | undefined> {
    const { rows } = await this.pool.query<StoredRow>(READ, [id, sellers]);
    return rows[0] && stored(rows[0]);
  }

  /** The quantity is for sale in addition to what orders hold. A withdrawn listing is on sale again. */
  async put(id: string, body: ListingBody): Promise<StoredListing> {
    const listing = await this.putOwn(id, body, null);
    if (!listing) throw new Error('A listing was written and did not come back.');
    return listing;
  }

  /** The same for some sellers. Undefined, and nothing is written, if the listing is of others: the statement itself looks at the seller. */
  async putOwn(id: string, body: ListingBody, sellers: Sellers): Promise<StoredListing | undefined> {
    const [row] = await this.withLockTimeout(id, () => this.write(this.pool, [{ id, body }], sellers));
    return row && stored(row);
  }

  /**
   * Replaces the terms of this version. Without a quantity the stock stays as it is, whatever is sold meanwhile. Undefined if the listing
   * has changed since, or is of others than these sellers.
   */
  async change(
    { id, version }: Pick<Listing, 'id' | 'version'>,
    body: ListingBody,
    quantity?: number,
    sellers: Sellers = null,
  ): Promise<StoredListing | undefined> {
    const values = [id, version, stringifyJson(termsOf(body)), quantity ?? null, this.clock.iso(), sellers];
    const { rows } = await this.withLockTimeout(id, () => this.pool.query<StoredRow>(CHANGE, values));
    return rows[0] && stored(rows[0]);
  }

  /**
   * Writes all listings of these sellers (null: of any), or none of them, and returns the ids that are of others. The ids must differ.
   * Waits up to 30 s for a locked listing, mostly without locking the others. @throws ExternalIdTaken if one is that of another listing
   */
  async putAll(listings: readonly GivenListing[], sellers: Sellers = null): Promise<ReadonlySet<string>> {
    if (listings.length === 0) return new Set();
    const locks = listings.map(({ id }) => listingLock(id));
    const written = await retryWhileLocked((lockTimeoutMs) =>
      KeyedLimiter.of(this.pool).runAll(locks, () =>
        inTransaction(this.pool, async (client) => {
          await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
          return await this.write(client, listings, sellers);
        }),
      ),
    ).catch(refuseTakenId);
    const own = new Set(written.map(({ id }) => id));
    return new Set(listings.map(({ id }) => id).filter((id) => !own.has(id)));
  }

  /** Idempotent. Its orders continue and may return tickets. Undefined for a listing of others than these sellers; null: of any. */
  async withdraw(id: string, sellers: Sellers = null): Promise<StoredListing | undefined> {
    const values = [id, this.clock.iso(), sellers];
    const { rows } = await this.withLockTimeout(id, () => this.pool.query<StoredRow>(WITHDRAW, values));
    return rows[0] ? stored(rows[0]) : this.read(id, sellers);
  }

  /** Includes withdrawn listings. */
  async hasListings(): Promise<boolean> {
    const { rowCount } = await this.pool.query('select 1 from listings limit 1');
    return rowCount !== 0;
  }

  private async withLockTimeout<T>(id: string, work: () => Promise<T>): Promise<T> {
    return await KeyedLimiter.of(this.pool).run(listingLock(id), work).catch(refuseTakenId);
  }

  private complete(id: string, row: FoundRow): Listing | undefined {
    const { version, terms } = row;
    if (terms !== null) return listing(id, { ...row, terms });
    const known = this.cache.get(id);
    return known?.version === version ? withStock(known, row) : undefined;
  }

  private async readFound(ids: readonly string[]): Promise<(FoundRow | undefined)[]> {
    const versions = ids.map((id) => this.cache.get(id)?.version ?? 0);
    const { rows } = await this.pool.query<FoundRow>({ name: 'find-listings', text: FIND, values: [ids, versions] });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  private addToCache(listing: Listing): void {
    this.cache.set(listing.id, listing);
    if (this.cache.size <= MAX_CACHED_LISTINGS) return;
    const [oldest = ''] = this.cache.keys();
    this.cache.delete(oldest);
  }

  private async write(
    connection: Pool | PoolClient,
    listings: readonly GivenListing[],
    sellers: Sellers,
  ): Promise<StoredRow[]> {
    const rows = listings.map(({ id, body }) => ({ id, terms: termsOf(body), quantity: body.quantity }));
    const written = await connection.query<StoredRow>(PUT, [stringifyJson(rows), this.clock.iso(), sellers]);
    return written.rows;
  }
}

export type GivenListing = Readonly<{ id: string; body: ListingBody }>;
/** Whose listings a caller sees and writes; null: everybody's. */
type Sellers = readonly string[] | null;
type ListingRow = {
  version: number;
  offered: number;
  available: number;
  /** Null: none. */
  held_seats: string[] | null;
  withdrawn_at: Date | null;
  terms: ListingTerms;
};
type FoundRow = Omit<ListingRow, 'terms'> & { id: string; terms: ListingTerms | null };
export type StoredRow = ListingRow & { id: string; created_at: Date; updated_at: Date };

const LISTING =
  'listings.version, listings.offered, listings.available, listings.held_seats, listings.withdrawn_at, listings.terms';
export const STORED = `listings.id, ${LISTING}, listings.created_at, listings.updated_at`;

/** Whether the listing is of the sellers that the parameter holds; of any if it is null. A listing without a seller is of none. */
export const ofSellers = (parameter: string, listing = 'listings') =>
  `(${parameter}::text[] is null or ${listing}.terms ->> 'seller' = any(${parameter}))`;

/** Has an index. */
export const EXTERNAL_ID = `(listings.terms ->> 'externalId')`;

const READ = `select ${STORED} from listings where id = $1 and ${ofSellers('$2')}`;

// Within a version only the stock changes, so the terms need not be sent and parsed again.
const FIND = `
  select id, listings.version, offered, available, held_seats, withdrawn_at,
    case when listings.version <> known.version then terms end as terms
  from unnest($1::text[], $2::int[]) as known (id, version) join listings using (id)`;

// The tickets in orders are computed from the locked row, so that no sale in between is lost. Rows are locked in id order, so that
// two imports of the same listings do not deadlock.
const PUT = `
  insert into listings (id, terms, offered, available, created_at, updated_at)
  select id, terms, quantity, quantity, $2, $2
  from json_to_recordset($1::json) as given (id text, terms json, quantity int)
  order by id
  on conflict (id) do update set
    version = listings.version + 1,
    terms = excluded.terms,
    offered = excluded.offered + (listings.offered - listings.available),
    available = excluded.available,
    withdrawn_at = null,
    updated_at = excluded.updated_at
  where ${ofSellers('$3')}
  returning ${STORED}`;

const CHANGE = `
  update listings set version = version + 1, terms = $3, updated_at = $5,
    offered = offered - available + coalesce($4, available), available = coalesce($4, available)
  where id = $1 and version = $2 and ${ofSellers('$6')}
  returning ${STORED}`;

const WITHDRAW = `
  update listings set version = version + 1, withdrawn_at = $2, updated_at = $2
  where id = $1 and withdrawn_at is null and ${ofSellers('$3')}
  returning ${STORED}`;

function refuseTakenId(error: unknown): never {
  throw isViolationOf('listings_by_external_id', error)
    ? new ExternalIdTaken('external_id: is that of another listing')
    : error;
}

function listing(id: string, row: ListingRow): Listing {
  const { version, offered, available, held_seats: heldSeats, withdrawn_at: withdrawnAt, terms } = row;
  return { ...terms, id, version, offered, available, heldSeats: heldSeats ?? [], withdrawnAt };
}

function withStock(known: Listing, { available, held_seats: heldSeats }: FoundRow): Listing {
  if (known.available === available && known.heldSeats.length === 0 && !heldSeats) return known;
  return { ...known, available, heldSeats: heldSeats ?? [] };
}

export function stored(row: StoredRow): StoredListing {
  return { ...listing(row.id, row), createdAt: row.created_at, updatedAt: row.updated_at };
}
