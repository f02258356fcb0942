import type { Column } from '../columns/column.js';
import type { Dictionary } from '../columns/dictionary.js';
import type { TaxonomyTree } from '../columns/taxonomy-tree.js';
import type { TaxonomyFilter } from '../query/filters.js';
import { nameKey } from '../../tokenizer.js';
import { byTable, type Filter } from './filter.js';

/** The event table and the performer table share these columns: codes of types and of sets of taxonomies (comma-separated ids). */
type KindColumns = Readonly<{
  types: Dictionary;
  type: Column<Int32Array>;
  taxonomySets: Dictionary;
  taxonomySet: Column<Int32Array>;
}>;

type KindSearch = Readonly<{ taxonomies?: TaxonomyFilter | undefined; types?: readonly string[] | undefined }>;

export function kindFilters(table: KindColumns, tree: TaxonomyTree, { taxonomies, types }: KindSearch): Filter[] {
  const filters: Filter[] = [];
  if (taxonomies) {
    const found = tree.matching(taxonomies);
    const matches = (ids: string) => ids.split(',').some((id) => found.has(Number(id)));
    filters.push(byText(table.taxonomySet, table.taxonomySets, matches));
  }
  if (types) {
    const keys = new Set(types.map(nameKey));
    filters.push(byText(table.type, table.types, (text) => keys.has(text)));
  }
  return filters;
}

function byText({ data }: Column<Int32Array>, { texts }: Dictionary, matches: (text: string) => boolean): Filter {
  return byTable(
    data,
    Uint8Array.from(texts, (text) => Number(matches(text))),
  );
}
