import { isObject } from '../api/is-object.js';
import type { NewView, SavedView } from '../api/views.js';
import type { OrderCondition } from '../api/orders.js';
import { type ListState, readAddress, writeAddress } from './list-address.js';
import {
  type Filter,
  filterText,
  isFilterField,
  isOrderCondition,
  opNamed,
  parseFilter,
  whereOf,
} from './order-condition.js';
import { parseSearch, stringifySearch } from '../frame/search-params.js';

/** The list as a view shows it. A condition that the filter bar cannot show stays with the view. */
export function stateOfView(view: SavedView): ListState {
  const filters = view.query === null ? filtersOf(view.where) : readAddress(parseSearch(view.query)).filters;
  return { q: view.q ?? '', filters: filters ?? [], sort: view.sort, columns: view.columns, view: view.id };
}

/** The condition of a view that the filter bar cannot show. Throws for one of a newer version, because without it the view would show other orders. */
export function hiddenConditionOf(view: SavedView | undefined): OrderCondition | undefined {
  if (!view || view.query !== null || filtersOf(view.where)) return undefined;
  if (!isOrderCondition(view.where)) throw new Error(`The condition of the view ${view.id} is unknown`);
  return view.where;
}

export function viewBody(
  { name, shared }: Readonly<{ name: string; shared: boolean }>,
  state: ListState,
  hidden: OrderCondition | undefined,
  now: Date,
): NewView {
  const shown = whereOf(state.filters, now);
  const where = hidden && shown ? { and: [hidden, shown] } : (hidden ?? shown ?? null);
  const { filters, q, sort, columns } = state;
  const query = stringifySearch(writeAddress({ ...EMPTY, filters })).slice(1);
  return { name, shared, where, q: q === '' ? null : q, sort, query: hidden ? null : query, columns: [...columns] };
}

/** True if both show the same orders in the same way. */
export function isSameList(one: ListState, other: ListState): boolean {
  const text = (state: ListState) => stringifySearch(writeAddress({ ...state, view: null }));
  return text(one) === text(other);
}

export const EMPTY: ListState = { q: '', filters: [], sort: 'placed_at.desc', columns: [], view: null };

/** The filters that mean the same as a condition; null if there are none. */
export function filtersOf(where: SavedView['where']): readonly Filter[] | null {
  if (where === null) return [];
  const parts = Array.isArray(where['and']) ? where['and'] : [where];
  const filters = parts.map(filterOf);
  return filters.every((filter) => filter !== null) ? filters : null;
}

function filterOf(part: unknown): Filter | null {
  const { field, op: name, value } = isObject(part) ? part : {};
  const op = opNamed(name);
  if (typeof field !== 'string' || !isFilterField(field) || op === undefined) return null;
  const values = op === 'is_null' ? [value === false ? 'some' : 'none'] : [value].flat().map(String);
  const filter = { field, op, values };
  // A value with a comma or a colon may mean something else in an address.
  const read = parseFilter(filter.field, filterText(filter));
  const isSameOp = read.op === op || (op === 'in' && values.length === 1);
  return isSameOp && read.values.join('\n') === values.join('\n') ? filter : null;
}
