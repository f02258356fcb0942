import { setImmediate as untilOthersHadTheirTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { GenreRow, TaxonomyRow } from '../columns/rows.js';
import { SORT_FIELDS } from '../query/sort.js';
import { ALL_GENRES, ALL_TAXONOMIES, type IndexedKind, type IndexedRows, rowsAfter, rowsById } from './row-queries.js';

// Some 3 ms of work, and as much of collecting garbage: between two of them others are answered. With fewer it takes longer.
const ROWS_AT_ONCE = 125;
// From here on sorting anew is quicker than finding the place of each.
const BULK = 64;

export type ChangedKind = IndexedKind | 'taxonomies' | 'genres';

/** Takes rows from the database into the index. */
export class IndexLoader {
  constructor(
    private readonly pool: Pool,
    private readonly index: CatalogueIndex,
  ) {}

  async loadAll(): Promise<void> {
    await this.loadLists();
    for (const kind of ['venues', 'performers', 'events'] as const) await this.loadKind(kind);
  }

  /** Rows that are no longer there leave the index. */
  async load(kind: ChangedKind, ids: readonly number[]): Promise<void> {
    if (kind === 'taxonomies' || kind === 'genres') return this.loadLists();
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const some = ids.slice(from, from + ROWS_AT_ONCE);
      const { rows } = await this.pool.query<IndexedRows[typeof kind]>({
        name: `index-${kind}`,
        text: rowsById(kind),
        values: [some],
      });
      const found = new Set(rows.map(({ id }) => id));
      await this.removeAll(kind, new Set(some.filter((id) => !found.has(id))));
      this.put(kind, rows, ids.length >= BULK);
    }
  }

  private async loadKind(kind: IndexedKind): Promise<void> {
    const gone = new Set(this.index[kind].slots.allIds());
    for (let last = 0; ;) {
      const { rows } = await this.pool.query<IndexedRows[typeof kind]>({
        name: `index-all-${kind}`,
        text: rowsAfter(kind),
        values: [last, ROWS_AT_ONCE],
      });
      this.put(kind, rows, true);
      for (const { id } of rows) gone.delete(id);
      const end = rows.at(-1);
      if (!end) break;
      last = end.id;
    }
    await this.removeAll(kind, gone);
    await this.sort(kind);
  }

  private async removeAll(kind: IndexedKind, ids: ReadonlySet<number>): Promise<void> {
    const table = this.index[kind];
    if (ids.size >= BULK) table.keys.invalidate();
    let removed = 0;
    for (const id of ids) {
      table.remove(id);
      if (++removed % ROWS_AT_ONCE === 0) await untilOthersHadTheirTurn();
    }
  }

  /** So that the first search need not. */
  private async sort(kind: IndexedKind): Promise<void> {
    // All others begin with the order of ids.
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
