import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Clock } from '#runtime/clock';
import type { ListingBody } from '#contracts/backoffice/listing';
import { BatchedLookup } from '#database/batched-lookup';
import { KeyedLimiter } from '#database/keyed-limiter';
import { retryWhileLocked } from '#database/lock-retry';
import { inTransaction } from '#database/transaction';
import { listingLock } from './listing-lock.js';
import { type ListingTerms, type StoredListing, type Listing, termsOf } from './listing.js';

// A listing is a kilobyte or two.
const REMEMBERED_AT_MOST = 5_000;

/** The listings that sellers have put up. What orders take of them is the stock writer's. */
@Injectable()
export class Listings {
  private readonly memory = new Map<string, Listing>();
  private readonly lookup = new BatchedLookup((ids: readonly string[]) => this.readFound(ids));

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** As it is now, for lookups and purchases; withdrawn ones are found too. */
  async find(id: string): Promise<Listing | undefined> {
    const row = await this.lookup.find(id);
    if (!row) return undefined;
    const found = this.complete(id, row);
    // Another lookup has read a later version meanwhile, or it was forgotten.
    if (!found) return await this.find(id);
    this.remember(found);
    return found;
  }

  /**
   * A listing as this process last read it, which may be long ago. Good enough to try a purchase with: the stock writer
   * takes stock of this very version only, and only if there is enough. A refusal must come from `find`.
   */
  remembered(id: string): Listing | undefined {
    return this.memory.get(id);
  }

  /** After a purchase found that it had changed. */
  forget(id: string): void {
    this.memory.delete(id);
  }

  /** After the database was restored: the same version may be another one now. */
  forgetAll(): void {
    this.memory.clear();
  }

  /** As it is now with its dates, for the back office. */
  async read(id: string): Promise<StoredListing | undefined> {
    const { rows } = await this.pool.query<StoredRow>(`select ${STORED} from listings where id = $1`, [id]);
    return rows[0] && stored(rows[0]);
  }

  /** Creates or replaces one. Its quantity is for sale from now on, beside what orders hold; a withdrawn one is back on sale. */
  async put(id: string, body: ListingBody): Promise<StoredListing> {
    const [row] = await this.limited(id, () => this.write(this.pool, [{ id, body }]));
    if (!row) throw new Error('A listing was written and did not come back.');
    return stored(row);
  }

  /**
   * `put` for many at once, in one statement: all are written or none. The ids are different ones. While somebody else locks
   * one of them, it waits for up to 30 s, mostly without the locks of the others.
   */
  async putAll(listings: readonly GivenListing[]): Promise<void> {
    if (listings.length === 0) return;
    const locks = listings.map(({ id }) => listingLock(id));
    await retryWhileLocked((lockTimeoutMs) =>
      KeyedLimiter.of(this.pool).runAll(locks, () =>
        inTransaction(this.pool, async (client) => {
          await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
          await this.write(client, listings);
        }),
      ),
    );
  }

  /** Takes it off sale; a second time changes nothing. Its orders, and what they give back, go on. */
  async withdraw(id: string): Promise<StoredListing | undefined> {
    const { rows } = await this.limited(id, () => this.pool.query<StoredRow>(WITHDRAW, [id, this.clock.iso()]));
    return rows[0] ? stored(rows[0]) : this.read(id);
  }

  /** Whether there is any listing at all, withdrawn or not. */
  async any(): Promise<boolean> {
    const { rowCount } = await this.pool.query('select 1 from listings limit 1');
    return rowCount !== 0;
  }

  private async limited<T>(id: string, work: () => Promise<T>): Promise<T> {
    return await KeyedLimiter.of(this.pool).run(listingLock(id), work);
  }

  private complete(id: string, row: FoundRow): Listing | undefined {
    const { version, terms } = row;
    if (terms !== null) return listing(id, { ...row, terms });
    const known = this.memory.get(id);
    return known?.version === version ? withAvailable(known, row.available) : undefined;
  }

  private async readFound(ids: readonly string[]): Promise<(FoundRow | undefined)[]> {
    const versions = ids.map((id) => this.memory.get(id)?.version ?? 0);
    const { rows } = await this.pool.query<FoundRow>({ name: 'find-listings', text: FIND, values: [ids, versions] });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  private remember(listing: Listing): void {
    this.memory.set(listing.id, listing);
    if (this.memory.size <= REMEMBERED_AT_MOST) return;
    const [oldest = ''] = this.memory.keys();
    this.memory.delete(oldest);
  }

  private async write(connection: Pool | PoolClient, listings: readonly GivenListing[]): Promise<StoredRow[]> {
    const rows = listings.map(({ id, body }) => ({ id, terms: termsOf(body), quantity: body.quantity }));
    const written = await connection.query<StoredRow>(PUT, [JSON.stringify(rows), this.clock.iso()]);
    return written.rows;
  }
}

type GivenListing = Readonly<{ id: string; body: ListingBody }>;
type ListingRow = {
  version: number;
  offered: number;
  available: number;
  withdrawn_at: Date | null;
  terms: ListingTerms;
};
type FoundRow = Omit<ListingRow, 'terms'> & { id: string; terms: ListingTerms | null };
export type StoredRow = ListingRow & { id: string; created_at: Date; updated_at: Date };

const LISTING = 'listings.version, listings.offered, listings.available, listings.withdrawn_at, listings.terms';
export const STORED = `listings.id, ${LISTING}, listings.created_at, listings.updated_at`;

// Within a version only `available` changes: the terms need not be sent and parsed again.
const FIND = `
  select id, listings.version, offered, available, withdrawn_at,
    case when listings.version <> known.version then terms end as terms
  from unnest($1::text[], $2::int[]) as known (id, version) join listings using (id)`;

// What orders hold is taken from the row as it is once its lock is ours, so that no sale in between is lost. Rows are
// locked in the order of their ids: two imports of the same listings wait for each other and do not deadlock.
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
  returning ${STORED}`;

const WITHDRAW = `
  update listings set version = version + 1, withdrawn_at = $2, updated_at = $2
  where id = $1 and withdrawn_at is null
  returning ${STORED}`;

function listing(id: string, row: ListingRow): Listing {
  const { version, offered, available, withdrawn_at: withdrawnAt, terms } = row;
  return { ...terms, id, version, offered, available, withdrawnAt };
}

function withAvailable(known: Listing, available: number): Listing {
  return known.available === available ? known : { ...known, available };
}

export function stored(row: StoredRow): StoredListing {
  return { ...listing(row.id, row), createdAt: row.created_at, updatedAt: row.updated_at };
}
