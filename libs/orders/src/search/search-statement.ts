import type { OrderSearchSort } from '../order-search.contract.js';
import { DUE_AT, type NewestFirst, type Parameters, type Source, type UnsortedCondition } from '../condition-sql.js';

/** The end of a page: the value of the sorted column, and the id that breaks ties. */
export type SearchPosition = Readonly<{ at: string | number; id: string }>;

/** What a page shows of the orders `o`: columns, and the tables that they come from, which begin with `orders o`. */
export type OrderShape = Readonly<{ columns: string; source: string }>;

type Sorting = Readonly<{
  column: string;
  type: string;
  direction: 'asc' | 'desc';
  /** A condition for the orders that are sorted in this way. */
  only?: string;
  /** Added to the column, so that this part comes after the others. */
  later?: string;
  /** The column has one value, by which nothing is sorted. */
  isOne?: true;
}>;

/**
 * The sorts of a search, that of the list by filters (orders that wait for a broker by deadline, then all others by id), and that of a
 * built-in queue by its due times.
 */
export type ListSort = OrderSearchSort | 'confirm_by.asc' | 'queue.asc';

/** Sorts orders that nobody has to confirm. */
const NO_DEADLINE = 'infinity';

/** Sorts open orders that nothing limits: after the others, but before those that are done. */
const NO_CLOCK = '2900-01-01T00:00:00Z';

const placed = { column: 'o.placed_at', type: 'timestamptz' } as const;
const updated = { column: 'o.updated_at', type: 'timestamptz' } as const;
const total = { column: 'o.total_cents', type: 'bigint' } as const;

const waiting: Sorting = {
  column: 'o.due_at',
  type: 'timestamptz',
  direction: 'asc',
  // The index has the orders with any deadline.
  only: `o.due_for = 'confirmation' and o.due_at is not null`,
};
const NOT_WAITING = `o.due_for is distinct from 'confirmation'`;

const SORTINGS: Readonly<Record<ListSort, readonly Sorting[]>> = {
  'placed_at.desc': [{ ...placed, direction: 'desc' }],
  'placed_at.asc': [{ ...placed, direction: 'asc' }],
  'updated_at.desc': [{ ...updated, direction: 'desc' }],
  'updated_at.asc': [{ ...updated, direction: 'asc' }],
  'total.desc': [{ ...total, direction: 'desc' }],
  'total.asc': [{ ...total, direction: 'asc' }],
  // First the open orders, by their clocks, then all others by time of placing, as if in a thousand years.
  'due_at.asc': [
    {
      column: `coalesce(${DUE_AT}, '${NO_CLOCK}')`,
      type: 'timestamptz',
      direction: 'asc',
      only: 'o.queue is not null',
    },
    { ...placed, direction: 'asc', only: 'o.queue is null', later: ` + interval '8766000 hours'` },
  ],
  'queue.asc': [{ column: 'w.due_at', type: 'timestamptz', direction: 'asc' }],
  'confirm_by.asc': [
    waiting,
    { column: `'${NO_DEADLINE}'::timestamptz`, type: 'timestamptz', direction: 'asc', only: NOT_WAITING, isOne: true },
  ],
};

// So many matches of a condition without the order of the list are read and sorted. That takes a millisecond.
const FEW = 1_000;

// With more, a search looks at so many of the newest orders before it reads an index to its end. That takes a few milliseconds. If they
// do not fill the page, the matches are rare or old.
const NEWEST = 1_500;

// Fewer, if each of them is looked up among the work items or pings.
const NEWEST_LOOKED_UP = 300;

type Page = Readonly<{
  sort: ListSort;
  limit: number;
  after: SearchPosition | undefined;
  /** `few`: at most a thousand matches of each condition without the order of the list. If one has more, the first row has no id. */
  reads: 'few' | 'all';
}>;

/** `times`: a table of when the matches were placed. */
type Few = Readonly<{ name: string; cte: string; matches: string; times: string }>;

/** The statement for a page: its narrow rows, from indexes alone where possible. */
export class SearchStatement {
  readonly #sortings: readonly Sorting[];

  constructor(
    private readonly parameters: Parameters,
    private readonly asked: Page,
  ) {
    this.#sortings = SORTINGS[asked.sort];
  }

  /** The first rows of a source, for each part of the order. */
  parts(source: Source, condition: string): string[] {
    const isPlacing = this.asked.sort.startsWith('placed_at');
    const { only } = source;
    if (isPlacing && typeof only === 'object') return [this.unsorted(only, condition)];
    if (isPlacing && typeof only === 'string' && source.newest) {
      return [this.newestThenOthers(source.newest, only, condition)];
    }
    if (this.asked.sort === 'queue.asc') return [this.items(source, condition)];
    const parts = typeof only === 'object' ? only.map(({ sql }) => sql) : [only];
    return parts.map((part) => {
      const [first = '', ...later] = this.#sortings.map((sorting, place) => {
        const at = isPlacing && source.at ? source.at : sorting.column;
        const id = isPlacing && source.id ? source.id : 'o.id';
        const isWanting = place === 0 ? undefined : `(select count(*) from first) < ${this.asked.limit}`;
        const where = all([part, sorting.only, this.beyond(at, id, sorting), isWanting, condition]);
        const order =
          isPlacing && source.first ? this.page(`${source.first} ${sorting.direction}, ${at}`, id) : this.page(at, id);
        return `(select o.id, ${at}${sorting.later ?? ''} as at from ${source.from} where ${where} ${order})`;
      });
      if (later.length === 0) return first;
      return this.eitherOf([`first as materialized ${first}`], ['select id, at from first', ...later]);
    });
  }

  /** The items agree with nearly all of their orders, so the page is taken before its orders are looked up. */
  private items({ from, only }: Source, condition: string): string {
    const [at, id] = ['w.due_at', 'w.order_id'];
    const where = all([typeof only === 'string' ? only : undefined, this.beyond(at, id, this.#sortings[0]!)]);
    const items = `(select ${id} as id, ${at} as at from ${from} where ${where} ${this.page(at, id)})`;
    if (condition === 'true') return items;
    return `(select items.id, items.at from ${items} as items join orders o on o.id = items.id where ${condition})`;
  }

  /** The ids of a page and what they are sorted by. */
  ids(parts: readonly string[]): string {
    const [order] = this.page('page.at', 'page.id').split(' limit ');
    return `select id, at from (${this.union(parts)}) as page ${order}`;
  }

  /** The same with columns of the orders. */
  text(parts: readonly string[], { columns, source }: OrderShape): string {
    const [order] = this.page('page.at', 'page.id').split(' limit ');
    return `with page as materialized (${this.union(parts)})
      select ${columns}, page.at from page join ${source.replace('orders o', 'orders o on o.id = page.id')}
      ${order}`;
  }

  private union(parts: readonly string[]): string {
    const [only = '', ...others] = parts;
    if (others.length === 0) return only;
    return `select id, at from (${parts.join(' union all ')}) as part group by id, at ${this.page('at', 'id')}`;
  }

  /**
   * For conditions whose index is not in the order of the list. The planner cannot know whether the orders with a certain prefix are new
   * or old, and would sometimes read all orders to find old ones.
   */
  private unsorted(alternatives: readonly UnsortedCondition[], condition: string): string {
    const rest = all([this.beyond('o.placed_at', 'o.id', this.#sortings[0]!), condition]);
    const few = alternatives.map((one, index) => this.few(one, `few_${index}`, rest));
    if (this.asked.reads === 'few') {
      const isMore = few.map(({ name }) => `(select count(*) from ${name}) > ${FEW}`).join(' or ');
      const matches = [...few.map((one) => one.matches), `select null, ${this.first} where ${isMore}`];
      return this.eitherOf(
        few.map(({ cte }) => cte),
        matches,
      );
    }
    return this.newestFirst(alternatives, rest, few);
  }

  /** A few matches as the index has them. */
  private few({ sql, key }: UnsortedCondition, name: string, rest: string): Few {
    const { direction } = this.#sortings[0]!;
    const last = direction === 'desc' ? key.greater : key.less;
    const cte = (column: string) => `${name} as materialized (
      select ${column}, o.placed_at as at from orders o where ${sql} order by ${key.sql} using ${last} limit ${FEW + 1})`;
    if (rest !== 'true') {
      const matches = `select few.id, at from ${name} as few join orders o on o.id = few.id where ${rest}`;
      return { name, cte: cte('o.id'), matches, times: `(${matches}) as few` };
    }
    if (key.hasId) return { name, cte: cte('o.id'), matches: `select id, at from ${name}`, times: name };
    // The table has the ids. It is slower than the index, so it is asked only for the orders that can be in the page.
    const inPage = `select key, at from ${name} order by at ${direction} fetch first ${this.asked.limit} rows with ties`;
    const byKey = `select id from orders o where ${key.sql} = few.key and o.placed_at = few.at offset 0`;
    const matches = `select o.id, at from (${inPage}) as few cross join lateral (${byKey}) as o`;
    return { name, cte: cte(`${key.sql} as key`), matches, times: name };
  }

  /**
   * Looks at the newest orders first. Only if they do not fill the page, the indexes are read as a whole, but nothing that comes after
   * a page of the few; `offset 0` keeps the planner from reading in the order of the list again.
   */
  private newestFirst(alternatives: readonly UnsortedCondition[], rest: string, few: readonly Few[]): string {
    const newest = `newest as materialized (
      select o.id, o.placed_at as at
      from (select * from orders o where ${rest} ${this.page('o.placed_at', 'o.id', NEWEST)}) o
      where (${alternatives.map(({ sql }) => sql).join(' or ')}) ${this.page('o.placed_at', 'o.id')})`;
    const found = alternatives.map(({ sql }, index) => {
      const bound = this.before(few[index]!);
      return `(select id, at from
        (select o.id, o.placed_at as at from orders o where ${all([sql, bound, rest])} offset 0) found
        where (select count(*) from newest) < ${this.asked.limit} ${this.page('at', 'id')})`;
    });
    return this.eitherOf([...few.map(({ cte }) => cte), newest], ['select id, at from newest', ...found]);
  }

  /** Looks at the newest orders first. Only if they do not fill the page, the others are read. */
  private newestThenOthers({ among, others }: NewestFirst, only: string, condition: string): string {
    const rest = all([among, this.beyond('o.placed_at', 'o.id', this.#sortings[0]!), condition]);
    const newest = `newest as materialized (
      select o.id, o.placed_at as at
      from (select * from orders o where ${rest} ${this.page('o.placed_at', 'o.id', NEWEST_LOOKED_UP)}) o
      where ${only} ${this.page('o.placed_at', 'o.id')})`;
    const isWanting = `(select count(*) from newest) < ${this.asked.limit}`;
    const found = others.flatMap((other) => this.parts(other, all([isWanting, condition])));
    return this.eitherOf([newest], ['select id, at from newest', ...found]);
  }

  /** The condition for what can be in a page if the matches that were read already fill one. */
  private before({ times }: Few): string {
    const { direction } = this.#sortings[0]!;
    const isDescending = direction === 'desc';
    const end = `(select at from ${times} order by at ${direction} limit 1 offset ${this.asked.limit - 1})`;
    return `o.placed_at ${isDescending ? '>=' : '<='} coalesce(${end}, '${isDescending ? '-' : ''}infinity')`;
  }

  private eitherOf(ctes: readonly string[], parts: readonly string[]): string {
    return `(with ${ctes.join(', ')} select id, at from (${parts.join(' union all ')}) either
      group by id, at ${this.page('at', 'id')})`;
  }

  /** A time before all others in the list. */
  private get first(): string {
    return this.#sortings[0]!.direction === 'desc' ? `'infinity'::timestamptz` : `'-infinity'::timestamptz`;
  }

  private page(at: string, id: string, limit = this.asked.limit): string {
    const { direction } = this.#sortings[0]!;
    return `order by ${at} ${direction}, ${id} ${direction} limit ${limit}`;
  }

  private beyond(at: string, id: string, { type, direction, later = '', isOne }: Sorting): string | undefined {
    const { after } = this.asked;
    if (!after) return undefined;
    if (isOne) return after.at === NO_DEADLINE ? `${id} > ${this.parameters.add(after.id)}` : undefined;
    const comparison = direction === 'desc' ? '<' : '>';
    const value = `${this.parameters.add(after.at)}::${type}${later.replace('+', '-')}`;
    return `(${at}, ${id}) ${comparison} (${value}, ${this.parameters.add(after.id)})`;
  }
}

function all(conditions: readonly (string | undefined)[]): string {
  return conditions.filter((one) => one !== undefined).join(' and ') || 'true';
}
