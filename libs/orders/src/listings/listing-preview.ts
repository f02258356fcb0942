import type { Pool } from 'pg';
import type { GivenListing } from './listings.js';
import type { OwnListings } from './own-listings.js';

export type ImportPreview = Readonly<{ created: number; replaced: number }>;

/** Counts without writing. */
export class ListingPreview implements ImportPreview {
  created = 0;
  replaced = 0;
  private readonly seen = new Set<string>();

  /** @param own the rules for the listings of a broker */
  constructor(
    private readonly pool: Pool,
    private readonly own?: OwnListings,
  ) {}

  async errors(listings: readonly GivenListing[]): Promise<ReadonlyMap<string, string>> {
    return (await this.own?.errors(listings)) ?? new Map();
  }

  /** A listing that occurs twice in an import counts once. */
  async putAll(listings: readonly Readonly<{ id: string }>[]): Promise<void> {
    const fresh = listings.map(({ id }) => id).filter((id) => !this.seen.has(id));
    const { rowCount } = await this.pool.query('select from listings where id = any($1)', [fresh]);
    this.replaced += rowCount ?? 0;
    this.created += fresh.length - (rowCount ?? 0);
    for (const id of fresh) this.seen.add(id);
  }
}
