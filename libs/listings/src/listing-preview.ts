import type { Pool } from 'pg';
import type { ListingImportReport } from './listing-import.contract.js';
import type { Columns } from './import/import-columns.js';
import { type GivenListing, ofSellers } from './listings.js';
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

  error(body: GivenListing['body']): string | undefined {
    return this.own?.error(body);
  }

  /** A listing that occurs twice in an import counts once. */
  async putAll(listings: readonly Readonly<{ id: string }>[]): Promise<ReadonlySet<string>> {
    const ids = listings.map(({ id }) => id);
    const { rows } = await this.pool.query<{ id: string; is_own: boolean | null }>(KNOWN, [ids, this.own?.sellers]);
    const known = new Set(rows.map(({ id }) => id));
    const taken = new Set(rows.filter(({ is_own }) => !is_own).map(({ id }) => id));
    for (const id of ids) {
      if (taken.has(id) || this.seen.has(id)) continue;
      if (known.has(id)) this.replaced += 1;
      else this.created += 1;
      this.seen.add(id);
    }
    return taken;
  }
}

const KNOWN = `select id, ${ofSellers('$2')} as is_own from listings where id = any($1)`;
