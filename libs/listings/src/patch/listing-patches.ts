import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { Clock } from '#base/clock';
import { stringifyJson } from '#base/json';
import { centsOf, dollarsOf } from '#domain/money';
import { KeyedLimiter } from '#database/keyed-limiter';
import { retryWhileLocked } from '#database/lock-retry';
import { inTransaction } from '#database/transaction';
import { listingLock } from '../listing-lock.js';
import type { ListingPatchResult } from '../listing-patch.contract.js';
import { EXTERNAL_ID, ofSellers } from '../listings.js';
import { foundListing, type NamedListing, type PatchLine, readLine, refused } from './patch-lines.js';
import { type PatchedListing, patched } from './patched-listing.js';

/** Whose listings a caller sees; null: everybody's. */
type Sellers = readonly string[] | null;

/** Changes of many listings at once, as a point of sale sends them each minute. */
@Injectable()
export class ListingPatches {
  constructor(
    private readonly pool: Pool,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** One result for each line, in their order. A later line for the same listing starts from what the earlier one made of it. */
  async apply(given: readonly unknown[], sellers: Sellers): Promise<ListingPatchResult[]> {
    const lines = given.map(readLine);
    const named = await this.named(lines, sellers);
    const targets = lines.map((line) => (line.is === 'read' ? foundListing(line.patch, named) : line));
    const ids = [...new Set(targets.flatMap((target) => (target.is === 'found' ? [target.id] : [])))];
    if (ids.length === 0) return targets.flatMap((target) => (target.is === 'refused' ? [target.result] : []));
    return await retryWhileLocked((lockTimeoutMs) =>
      KeyedLimiter.of(this.pool).runAll(ids.map(listingLock), () =>
        inTransaction(this.pool, async (client) => {
          await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
          const { rows } = await client.query<PatchedListing>(LOCK, [ids, sellers]);
          const listings = new Map(rows.map((row) => [row.id, row]));
          const results = targets.map((target) =>
            target.is === 'found' ? this.change(listings, target.id, target.patch) : target.result,
          );
          await this.write(client, rows, listings);
          return results;
        }),
      ),
    );
  }

  private async named(lines: readonly PatchLine[], sellers: Sellers): Promise<NamedListing[]> {
    const patches = lines.flatMap((line) => (line.is === 'read' ? [line.patch] : []));
    const ids = patches.flatMap(({ listing_id: id }) => id ?? []);
    const externalIds = patches.flatMap(({ external_id: id }) => id ?? []);
    return (await this.pool.query<NamedListing>(NAMED, [ids, externalIds, sellers])).rows;
  }

  private change(
    listings: Map<string, PatchedListing>,
    id: string,
    patch: Extract<PatchLine, { is: 'read' }>['patch'],
  ): ListingPatchResult {
    const listing = listings.get(id);
    // Its seller has changed since.
    if (!listing) return refused(patch, null, 40400, 'there is no such listing');
    if (patch.state === 'on_sale' && listing.is_cancelled) {
      return refused(patch, id, 40901, 'state: its event was cancelled');
    }
    const next = patched(listing, patch, this.clock.iso());
    // A line that is sent again after its answer was lost changes nothing, and is not refused for its own new price.
    if (next && patch.if_price !== undefined && centsOf(patch.if_price) !== listing.terms.priceCents) {
      return refused(patch, id, 41201, `price: is ${dollarsOf(listing.terms.priceCents)} by now`);
    }
    if (next) listings.set(id, next);
    const { externalId } = listing.terms;
    const ids = { listing_id: id, ...(externalId !== undefined && { external_id: externalId }) };
    return { ...ids, outcome: next ? 'changed' : 'unchanged' };
  }

  private async write(
    client: PoolClient,
    before: readonly PatchedListing[],
    after: ReadonlyMap<string, PatchedListing>,
  ): Promise<void> {
    const changed = before.flatMap((row) => {
      const next = after.get(row.id);
      return next && next !== row ? [next] : [];
    });
    if (changed.length > 0) await client.query(WRITE, [stringifyJson(changed), this.clock.iso()]);
  }
}

const NAMED = `
  select id, ${EXTERNAL_ID} as external_id, terms ->> 'seller' as seller from listings
  where (id = any($1) or ${EXTERNAL_ID} = any($2)) and ${ofSellers('$3')}`;

// In the order of ids, as an import locks them.
const LOCK = `
  select id, terms, available, withdrawn_at, exists (select from cancelled_events c where c.event_id = listings.event_id) as is_cancelled
  from listings where id = any($1) and ${ofSellers('$2')} order by id for update of listings`;

const WRITE = `
  update listings set version = version + 1, terms = given.terms, withdrawn_at = given.withdrawn_at, updated_at = $2,
    offered = offered - listings.available + given.available, available = given.available
  from json_to_recordset($1::json) as given (id text, terms json, available int, withdrawn_at timestamptz)
  where listings.id = given.id`;
