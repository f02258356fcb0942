import type { Column } from '../columns/column.js';
import type { Dictionary } from '../columns/dictionary.js';
import type { TaxonomyTree } from '../columns/taxonomy-tree.js';
import type { TaxonomyFilter } from '../query/filters.js';
import { nameKey } from '../text/tokenizer.js';
import { byTable, type Filter } from './filter.js';

/** What the tables of events and of performers have in common: numbers of types, and of sets of taxonomies (ids by commas). */
type Kinds = Readonly<{
  types: Dictionary;
  type: Column<Int32Array>;
  taxonomySets: Dictionary;
  taxonomySet: Column<Int32Array>;
}>;

type Wanted = Readonly<{ taxonomies?: TaxonomyFilter | undefined; types?: readonly string[] | undefined }>;

/** The filters by taxonomy and by type, where they are asked for. */
export function kindFilters(table: Kinds, tree: TaxonomyTree, { taxonomies, types }: Wanted): Filter[] {
  const filters: Filter[] = [];
  if (taxonomies) {
    const found = tree.found(taxonomies);
    const isFound = (ids: string) => ids.split(',').some((id) => found.has(Number(id)));
    filters.push(byText(table.taxonomySet, table.taxonomySets, isFound));
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
