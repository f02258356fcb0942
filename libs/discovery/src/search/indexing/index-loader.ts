import { setImmediate as untilOthersHadTheirTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { GenreRow, TaxonomyRow } from '../columns/rows.js';
import { SORT_FIELDS } from '../query/sort.js';
import { ALL_GENRES, ALL_TAXONOMIES, type IndexedKind, type IndexedRows, rowsAfter, rowsById } from './row-queries.js';

// About 3 ms of work and as much garbage collection; the event loop is free between batches. Smaller batches take longer in total.
const BATCH_SIZE = 125;
// From here on sorting again is faster than inserting one by one.
const BULK_SIZE = 64;

export type ChangedKind = IndexedKind | 'taxonomies' | 'genres';

export class IndexLoader {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly index: CatalogueIndex,
  ) {}

  async loadAll(): Promise<void> {
    await this.loadLists();
    for (const kind of ['venues', 'performers', 'events'] as const) await this.loadKind(kind);
  }

  async load(kind: ChangedKind, ids: readonly number[]): Promise<void> {
    if (kind === 'taxonomies' || kind === 'genres') return this.loadLists();
    for (let from = 0; from < ids.length; from += BATCH_SIZE) {
      const batch = ids.slice(from, from + BATCH_SIZE);
      const { rows } = await this.pool.query<IndexedRows[typeof kind]>({
        name: `index-${kind}`,
        text: rowsById(kind),
        values: [batch],
      });
      const found = new Set(rows.map(({ id }) => id));
      await this.removeAll(kind, new Set(batch.filter((id) => !found.has(id))));
      this.put(kind, rows, ids.length >= BULK_SIZE);
    }
  }

  private async loadKind(kind: IndexedKind): Promise<void> {
    const staleIds = new Set(this.index[kind].slots.allIds());
    for (let last = 0; ;) {
      const { rows } = await this.pool.query<IndexedRows[typeof kind]>({
        name: `index-all-${kind}`,
        text: rowsAfter(kind),
        values: [last, BATCH_SIZE],
      });
      this.put(kind, rows, true);
      for (const { id } of rows) staleIds.delete(id);
      const end = rows.at(-1);
      if (!end) break;
      last = end.id;
    }
    await this.removeAll(kind, staleIds);
    await this.sort(kind);
  }

  private async removeAll(kind: IndexedKind, ids: ReadonlySet<number>): Promise<void> {
    const table = this.index[kind];
    if (ids.size >= BULK_SIZE) table.keys.invalidate();
    let removed = 0;
    for (const id of ids) {
      table.remove(id);
      if (++removed % BATCH_SIZE === 0) await untilOthersHadTheirTurn();
    }
  }

  /** Sorts now, so that the first search does not have to. */
  private async sort(kind: IndexedKind): Promise<void> {
    // Every other order is built from the order by id, so it comes first.
    for (const field of ['id', ...SORT_FIELDS] as const) {
      this.index[kind].keys.order(field).all();
      await untilOthersHadTheirTurn();
    }
  }

  private async loadLists(): Promise<void> {
    const { rows: taxonomies } = await this.pool.query<TaxonomyRow>(ALL_TAXONOMIES);
    const { rows: genres } = await this.pool.query<GenreRow>(ALL_GENRES);
    this.index.replaceTaxonomies(taxonomies);
    this.index.genres = genres;
  }

  private put<Kind extends IndexedKind>(kind: Kind, rows: readonly IndexedRows[Kind][], bulk: boolean): void {
    const table = this.index[kind] as { put(row: IndexedRows[Kind], bulk: boolean): void };
    for (const row of rows) table.put(row, bulk);
  }
}
