import type { Pool } from 'pg';
import type { ListingImportReport } from '#contracts/backoffice/listing-import';
import type { Columns } from './import-columns.js';
import type { GivenListing } from './listings.js';
import type { OwnListings } from './own-listings.js';

/** What an import would do, and for CSV what its columns were taken for. */
export type ImportPreview = Readonly<
  Required<Pick<ListingImportReport, 'created' | 'replaced'>> & Pick<ListingImportReport, 'columns'>
>;

/** Counts without writing. */
export class ListingPreview {
  private created = 0;
  private replaced = 0;
  private columns: ListingImportReport['columns'];
  private readonly seen = new Set<string>();

  /** @param own the rules for the listings of a broker */
  constructor(
    private readonly pool: Pool,
    private readonly own?: OwnListings,
  ) {}

  /** What was counted until now. */
  get found(): ImportPreview {
    const { created, replaced, columns } = this;
    return { created, replaced, ...(columns && { columns }) };
  }

  onColumns({ taken }: Columns): void {
    this.columns = [...taken];
  }

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
