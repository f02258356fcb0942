import type { Pool } from 'pg';

export type ImportPreview = Readonly<{ created: number; replaced: number }>;

/** Counts without writing. */
export class ListingPreview implements ImportPreview {
  created = 0;
  replaced = 0;
  private readonly seen = new Set<string>();

  constructor(private readonly pool: Pool) {}

  /** A listing that occurs twice in an import counts once. */
  async putAll(listings: readonly Readonly<{ id: string }>[]): Promise<void> {
    const fresh = listings.map(({ id }) => id).filter((id) => !this.seen.has(id));
    const { rowCount } = await this.pool.query('select from listings where id = any($1)', [fresh]);
    this.replaced += rowCount ?? 0;
    this.created += fresh.length - (rowCount ?? 0);
    for (const id of fresh) this.seen.add(id);
  }
}
