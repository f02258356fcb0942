import type { TaxonomyFilter } from '../query/filters.js';
import { nameKey } from '../../tokenizer.js';
import type { TaxonomyRow } from './rows.js';

export class TaxonomyTree {
  private readonly rows = new Map<number, TaxonomyRow>();
  private readonly children = new Map<number, number[]>();

  replace(rows: readonly TaxonomyRow[]): void {
    this.rows.clear();
    this.children.clear();
    for (const row of rows) {
      this.rows.set(row.id, row);
      if (row.parent_id === null) continue;
      const siblings = this.children.get(row.parent_id);
      if (siblings) siblings.push(row.id);
      else this.children.set(row.parent_id, [row.id]);
    }
  }

  all(): IterableIterator<TaxonomyRow> {
    return this.rows.values();
  }

  /** With all descendants. */
  matching({ ids = [], names = [], parentIds = [] }: TaxonomyFilter): Set<number> {
    const keys = new Set(names.map(nameKey));
    const named = [...this.rows.values()].filter(({ name }) => keys.has(nameKey(name)));
    const below = parentIds.flatMap((id) => this.children.get(id) ?? []);
    const found = new Set<number>();
    const pending = [...ids, ...named.map(({ id }) => id), ...below];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      // Bad data may contain a cycle.
      if (found.has(id)) continue;
      found.add(id);
      pending.push(...(this.children.get(id) ?? []));
    }
    return found;
  }

  withAncestors(ids: readonly number[]): Set<number> {
    const result = new Set<number>();
    for (const start of ids) {
      for (let id: number | null = start; id !== null && !result.has(id); id = this.rows.get(id)?.parent_id ?? null) {
        result.add(id);
      }
    }
    return result;
  }

  name(id: number): string {
    return this.rows.get(id)?.name ?? '';
  }
}
