import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { FieldCondition, ParsedCondition } from '#contracts/backoffice/order-condition';
import type { OrderSearchSort } from '#contracts/backoffice/order-search';
import { Sealer } from '#crypto/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#runtime/clock';
import { type ListedOrder, LISTED_COLUMNS, LISTED_SOURCE } from '../read-models/order-queries.js';
import { type ConditionContext, conditionSql, Parameters, type Source } from './condition-sql.js';
import { searchParts } from './search-sources.js';

/** Who searches. Nothing else of a search depends on it. */
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

type Sorting = Readonly<{ column: string; type: string; direction: 'asc' | 'desc' }>;

const SORTINGS: Readonly<Record<Exclude<OrderSearchSort, 'due_at.asc'>, Sorting>> = {
  'placed_at.desc': { column: 'o.placed_at', type: 'timestamptz', direction: 'desc' },
  'placed_at.asc': { column: 'o.placed_at', type: 'timestamptz', direction: 'asc' },
  'updated_at.desc': { column: 'o.updated_at', type: 'timestamptz', direction: 'desc' },
  'updated_at.asc': { column: 'o.updated_at', type: 'timestamptz', direction: 'asc' },
  'total.desc': { column: 'o.total_cents', type: 'bigint', direction: 'desc' },
  'total.asc': { column: 'o.total_cents', type: 'bigint', direction: 'asc' },
};

/** First the orders that wait for a broker, by deadline, then all others by id. Each part has an index. */
const BY_DEADLINE: readonly (Sorting & { only: string })[] = [
  { column: 'o.due_at', type: 'timestamptz', direction: 'asc', only: `o.due_for = 'confirmation'` },
  {
    column: `timestamptz 'infinity'`,
    type: 'timestamptz',
    direction: 'asc',
    only: `o.due_for is distinct from 'confirmation'`,
  },
];

/** Finds orders of any age by a condition and by what a caller knows of the order. */
@Injectable()
export class OrderFinder {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {}

  /** Returns a page by keyset: deep pages are as fast as the first one, and no page skips or repeats an order. */
  async find(
    question: SearchQuestion,
    { limit, after }: Readonly<{ limit: number; after: SearchPosition | undefined }>,
    access: SearchAccess,
  ): Promise<FoundOrder[]> {
    const parameters = new Parameters();
    const context = this.contextFor(access);
    const where = within(question.where, access.sellers);
    const { sources, rest } = searchParts(where, this.alternatives(question.q, access), context, parameters);
    const statement = new SearchStatement(parameters, question.sort, limit, after);
    const parts = sources.flatMap((source) => statement.parts(source, conditionSql(rest, context, parameters)));
    const { rows } = await this.pool.query<FoundRow>(statement.text(parts), parameters.values);
    return rows.map(({ at, ...order }) => ({ ...order, position: { at: cursorValue(at), id: order.id } }));
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
  if (typeof at === 'number') return Number.isFinite(at) ? at : 'infinity';
  return at.toISOString();
}

/** The statement for a page. The narrow rows of the page are found first, from indexes alone where possible, and then completed. */
class SearchStatement {
  readonly #sortings: readonly (Sorting & { only?: string })[];

  constructor(
    private readonly parameters: Parameters,
    private readonly sort: OrderSearchSort,
    private readonly limit: number,
    private readonly after: SearchPosition | undefined,
  ) {
    this.#sortings = sort === 'due_at.asc' ? BY_DEADLINE : [SORTINGS[sort]];
  }

  /** The first rows of a source, for each part of the order. */
  parts(source: Source, condition: string): string[] {
    return this.#sortings.map((sorting) => {
      const isPlacing = this.sort.startsWith('placed_at');
      const at = isPlacing && source.at ? source.at : sorting.column;
      const id = isPlacing && source.id ? source.id : 'o.id';
      const { direction } = sorting;
      const conditions = [source.only, sorting.only, this.beyond(at, id, sorting), condition].filter(Boolean);
      // A constant is no order, and postgres rejects it as one.
      const order = at === sorting.column && at.includes("'infinity'") ? '' : `${at} ${direction}, `;
      return `(select o.id, ${at} as at from ${source.from} where ${conditions.join(' and ')}
        order by ${order}${id} ${direction} limit ${this.limit})`;
    });
  }

  text(parts: readonly string[]): string {
    const { direction } = this.#sortings[0]!;
    const order = `order by at ${direction}, id ${direction}`;
    const page =
      parts.length === 1
        ? parts[0]
        : `(select id, at from (${parts.join(' union all ')}) as part group by id, at ${order} limit ${this.limit})`;
    return `with page as materialized ${page}
      select ${LISTED_COLUMNS}, page.at from page join ${LISTED_SOURCE.replace('orders o', 'orders o on o.id = page.id')}
      order by page.at ${direction}, page.id ${direction}`;
  }

  private beyond(at: string, id: string, { type, direction }: Sorting): string {
    if (!this.after) return '';
    const comparison = direction === 'desc' ? '<' : '>';
    const values = `${this.parameters.add(this.after.at)}::${type}, ${this.parameters.add(this.after.id)}`;
    return `(${at}, ${id}) ${comparison} (${values})`;
  }
}
