import type { OrderSearchSort } from '#orders/order-search.contract';
import { valuesOf } from '../frame/search-params.js';
import {
  type Filter,
  FILTER_FIELDS,
  type FilterField,
  filterText,
  hasOneOfSeveral,
  parseFilter,
} from './order-condition.js';
import { keysOf } from '../api/keys-of.js';

const SORTS = [
  'placed_at.desc',
  'placed_at.asc',
  'updated_at.desc',
  'updated_at.asc',
  'total.desc',
  'total.asc',
  'due_at.asc',
] as const satisfies readonly OrderSearchSort[];
export type Sort = (typeof SORTS)[number];

export const sortNamed = (text: string | undefined): Sort | undefined => SORTS.find((one) => one === text);

/** Everything that the list shows, as its address says. */
export type ListState = Readonly<{
  q: string;
  filters: readonly Filter[];
  sort: Sort;
  /** The columns in order. Empty: those that the person chose last. */
  columns: readonly string[];
  /** The id of the saved view that the list began with. */
  view: string | null;
}>;

/** The query of the list's address. A filter may stand in it several times. */
export type OrdersSearch = Readonly<
  Partial<Record<FilterField | 'q' | 'sort' | 'columns' | 'view', string | readonly string[] | undefined>>
>;

const FIELDS = keysOf(FILTER_FIELDS);

export function readAddress(search: OrdersSearch): ListState {
  const [q = ''] = valuesOf(search.q);
  const [sort] = valuesOf(search.sort);
  const [columns = ''] = valuesOf(search.columns);
  const [view = null] = valuesOf(search.view);
  return {
    q,
    sort: sortNamed(sort) ?? 'placed_at.desc',
    filters: FIELDS.flatMap((field) => filtersOf(field, valuesOf(search[field]))),
    columns: columns.split(',').filter((name) => name !== ''),
    view,
  };
}

function filtersOf(field: FilterField, texts: readonly string[]): Filter[] {
  const filters = texts.map((text) => parseFilter(field, text)).filter(({ values }) => values.length > 0);
  const equal = filters.filter(({ op }) => op === '=' || op === 'in');
  if (equal.length < 2 || !hasOneOfSeveral(field)) return filters;
  const values = equal.flatMap((filter) => filter.values);
  return [{ field, op: 'in', values }, ...filters.filter((filter) => !equal.includes(filter))];
}

export function writeAddress({ q, filters, sort, columns, view }: ListState): OrdersSearch {
  const search: { -readonly [Name in keyof OrdersSearch]: OrdersSearch[Name] } = {};
  if (q !== '') search.q = q;
  for (const filter of filters) search[filter.field] = [...valuesOf(search[filter.field]), filterText(filter)];
  if (sort !== 'placed_at.desc') search.sort = sort;
  if (columns.length > 0) search.columns = columns.join(',');
  if (view !== null) search.view = view;
  return search;
}
