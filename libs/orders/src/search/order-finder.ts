import { Inject, Injectable } from '@nestjs/common';
import { Pool, type QueryConfig } from 'pg';
import type { FieldCondition, ParsedCondition } from '#contracts/backoffice/order-condition';
import type { OrderSearchSort } from '#contracts/backoffice/order-search';
import { Sealer } from '#crypto/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#runtime/clock';
import { type ListedOrder, LISTED_COLUMNS, LISTED_SOURCE } from '../read-models/order-queries.js';
import { type ConditionContext, conditionSql, Parameters, type Source } from './condition-sql.js';
import { searchParts } from './search-sources.js';

/** What the caller of a search may see and ask. */
export type SearchAccess = Readonly<{
  /** Only orders of these sellers are found; undefined for all orders. */
  sellers: readonly string[] | undefined;
  /** Whether `q` may tell who the buyer is. A condition on the buyer has been checked before. */
  buyers: boolean;
}>;

export type SearchQuestion = Readonly<{
  where: ParsedCondition | undefined;
  q: string | undefined;
  sort: OrderSearchSort;
}>;

/** The end of a page: the value of the sorted column, and the id that breaks ties. */
export type SearchPosition = Readonly<{ at: string | number; id: string }>;

export type FoundOrder = ListedOrder & Readonly<{ position: SearchPosition }>;

/** What a page shows of the orders `o`: columns, and the tables that they come from, which begin with `orders o`. */
export type OrderShape = Readonly<{ columns: string; source: string }>;

const LISTED: OrderShape = { columns: LISTED_COLUMNS, source: LISTED_SOURCE };

type SearchPage = Readonly<{ limit: number; after: SearchPosition | undefined }>;

type Sorting = Readonly<{
  column: string;
  type: string;
  direction: 'asc' | 'desc';
  /** A condition for the orders that are sorted in this way. */
  only?: string;
  /** Added to the column, so that this part comes after the others. */
  later?: string;
}>;

const placed = { column: 'o.placed_at', type: 'timestamptz' } as const;
const updated = { column: 'o.updated_at', type: 'timestamptz' } as const;
const total = { column: 'o.total_cents', type: 'bigint' } as const;

const SORTINGS: Readonly<Record<OrderSearchSort, readonly Sorting[]>> = {
  'placed_at.desc': [{ ...placed, direction: 'desc' }],
  'placed_at.asc': [{ ...placed, direction: 'asc' }],
  'updated_at.desc': [{ ...updated, direction: 'desc' }],
  'updated_at.asc': [{ ...updated, direction: 'asc' }],
  'total.desc': [{ ...total, direction: 'desc' }],
  'total.asc': [{ ...total, direction: 'asc' }],
  // First the orders that wait for a broker, by deadline, then all others by time of placing, as if in a thousand years.
  'due_at.asc': [
    { column: 'o.due_at', type: 'timestamptz', direction: 'asc', only: `o.due_for = 'confirmation'` },
    {
      ...placed,
      direction: 'asc',
      only: `o.due_for is distinct from 'confirmation'`,
      later: ` + interval '8766000 hours'`,
    },
  ],
};

// A search looks at so many of the newest orders before it reads an index to its end. That takes a few milliseconds. If they do not
// fill the page, the matches are rare or old.
const NEWEST = 1_500;

/** Finds orders of any age by a condition and by what a caller knows of the order. */
@Injectable()
export class OrderFinder {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {}

  /** Returns a page by keyset: deep pages are as fast as the first one, and no page skips or repeats an order. */
  async find(question: SearchQuestion, page: SearchPage, access: SearchAccess): Promise<FoundOrder[]> {
    const { rows } = await this.pool.query<FoundRow>(this.statement(question, page, access));
    return rows.map(({ at, ...order }) => ({ ...order, position: { at: cursorValue(at), id: order.id } }));
  }

  /** The statement of a page in another shape. Its last column is `at`, which makes the position of a row together with the order's id. */
  statement(
    question: SearchQuestion,
    { limit, after }: SearchPage,
    access: SearchAccess,
    shape: OrderShape = LISTED,
  ): QueryConfig {
    const parameters = new Parameters();
    const context = this.contextFor(access);
    const where = within(question.where, access.sellers);
    const { sources, rest } = searchParts(where, this.alternatives(question.q, access), context, parameters);
    const statement = new SearchStatement(parameters, question.sort, limit, after);
    const parts = sources.flatMap((source) => statement.parts(source, conditionSql(rest, context, parameters)));
    return { text: statement.text(parts, shape), values: parameters.values };
  }

  /** Counts the orders that meet a condition. */
  async count(where: ParsedCondition | undefined, access: SearchAccess): Promise<number> {
    const parameters = new Parameters();
    const condition = conditionSql(within(where, access.sellers), this.contextFor(access), parameters);
    const text = `select count(*)::int as count from orders o where ${condition}`;
    const { rows } = await this.pool.query<{ count: number }>(text, parameters.values);
    return rows[0]?.count ?? 0;
  }

  private contextFor({ sellers }: SearchAccess): ConditionContext {
    return {
      now: this.clock.iso(),
      partnerNotesOnly: sellers !== undefined,
      digests: (field, value) => this.sealer.buyerDigests(field, value),
    };
  }

  /** The conditions of which an order meets at least one to be found by `q`. */
  private alternatives(q: string | undefined, { buyers }: SearchAccess): readonly FieldCondition[] | undefined {
    if (q === undefined) return undefined;
    const starts = (['id', 'ref_id', 'tracking_number', 'transaction_id'] as const).map((field) => {
      return { field, op: 'starts_with', value: q } as const;
    });
    const personal = (['email', 'phone', 'last_name'] as const)
      .filter((field) => buyers && LOOKS_LIKE[field].test(q))
      .map((field) => ({ field, op: '=', value: q }) as const);
    return [...starts, ...personal];
  }
}

// An alternative costs a read of an index, so those that cannot match are left out.
const LOOKS_LIKE = { email: /@/, phone: /\d/, last_name: /\p{L}/u };

function within(where: ParsedCondition | undefined, sellers: readonly string[] | undefined): ParsedCondition {
  const asked = where ? [where] : [];
  return { and: sellers === undefined ? asked : [...asked, { field: 'seller', op: 'in', value: sellers }] };
}

type FoundRow = ListedOrder & { at: Date | number };

function cursorValue(at: Date | number): string | number {
  return typeof at === 'number' ? at : at.toISOString();
}

/** The statement for a page. The narrow rows of the page are found first, from indexes alone where possible, and then completed. */
class SearchStatement {
  readonly #sortings: readonly Sorting[];

  constructor(
    private readonly parameters: Parameters,
    private readonly sort: OrderSearchSort,
    private readonly limit: number,
    private readonly after: SearchPosition | undefined,
  ) {
    this.#sortings = SORTINGS[sort];
  }

  /** The first rows of a source, for each part of the order. */
  parts(source: Source, condition: string): string[] {
    const isPlacing = this.sort.startsWith('placed_at');
    const { only } = source;
    if (isPlacing && typeof only === 'object') return [this.newestFirst(only, condition)];
    return [only].flat().flatMap((part) =>
      this.#sortings.map((sorting) => {
        const at = isPlacing && source.at ? source.at : sorting.column;
        const id = isPlacing && source.id ? source.id : 'o.id';
        const where = all([part, sorting.only, this.beyond(at, id, sorting), condition]);
        return `(select o.id, ${at}${sorting.later ?? ''} as at from ${source.from} where ${where} ${this.page(at, id)})`;
      }),
    );
  }

  text(parts: readonly string[], { columns, source }: OrderShape): string {
    const page =
      parts.length === 1
        ? parts[0]
        : `(select id, at from (${parts.join(' union all ')}) as part group by id, at ${this.page('at', 'id')})`;
    const [order] = this.page('page.at', 'page.id').split(' limit ');
    return `with page as materialized ${page}
      select ${columns}, page.at from page join ${source.replace('orders o', 'orders o on o.id = page.id')}
      ${order}`;
  }

  /**
   * For conditions whose index is not in the order of the list. The planner cannot know whether the orders with a certain prefix
   * are new or old, and would sometimes read all orders to find old ones. So the newest are looked at first. Only if they do not
   * fill the page, the index is read as a whole; `offset 0` keeps the planner from reading in the order of the list again.
   */
  private newestFirst(alternatives: readonly string[], condition: string): string {
    const beyond = this.beyond('o.placed_at', 'o.id', this.#sortings[0]!);
    const anyOf = `(${alternatives.join(' or ')})`;
    const found = alternatives.map(
      (one) => `(select id, at from
        (select o.id, o.placed_at as at from orders o where ${all([one, beyond, condition])} offset 0) found
        where (select count(*) from newest) < ${this.limit} ${this.page('at', 'id')})`,
    );
    return `(with newest as materialized (
        select o.id, o.placed_at as at
        from (select * from orders o where ${all([beyond])} ${this.page('o.placed_at', 'o.id', NEWEST)}) o
        where ${all([anyOf, condition])} ${this.page('o.placed_at', 'o.id')})
      select id, at from (select id, at from newest union all ${found.join(' union all ')}) either
      group by id, at ${this.page('at', 'id')})`;
  }

  private page(at: string, id: string, limit = this.limit): string {
    const { direction } = this.#sortings[0]!;
    return `order by ${at} ${direction}, ${id} ${direction} limit ${limit}`;
  }

  private beyond(at: string, id: string, { type, direction, later = '' }: Sorting): string | undefined {
    if (!this.after) return undefined;
    const comparison = direction === 'desc' ? '<' : '>';
    const value = `${this.parameters.add(this.after.at)}::${type}${later.replace('+', '-')}`;
    return `(${at}, ${id}) ${comparison} (${value}, ${this.parameters.add(this.after.id)})`;
  }
}

function all(conditions: readonly (string | undefined)[]): string {
  return conditions.filter((one) => one !== undefined).join(' and ') || 'true';
}
