import { Inject, Injectable } from '@nestjs/common';
import type { Pool, QueryConfig } from 'pg';
import { ReplicaPool } from '#database/replica-pool';
import type { ParsedCondition } from './order-condition.contract.js';
import type { DueField } from './order-search.contract.js';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { askedDigests } from './buyer-digests.js';
import { type AskedBuyers, type AskedFor, askedFor, askedWhole } from './asked-for.js';
import { type ListedOrder, listedOrders } from './order-queries.js';
import { isSeenBy } from '#accounts/seen-orders';
import { type ConditionContext, conditionSql, Parameters } from './condition-sql.js';
import { isEscalated, queueItems, type QueuePart } from './queue-clock.js';
import { askedSql, searchParts } from './search-sources.js';
import { type LocatedText, located } from './search/spoken-texts.js';
import { type ListSort, type OrderShape, type SearchPosition, SearchStatement } from './search/search-statement.js';

export type { ListSort, OrderShape, SearchPosition };

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
  sort: ListSort;
  /** `q` is a whole text, not how one begins. */
  isWhole?: true;
  /** Only orders of this built-in queue. */
  queue?: QueuePart;
  /** Without orders that somebody has snoozed. */
  awake?: boolean;
  /** Only orders that are escalated in this custom queue, by its clock. */
  escalatedIn?: Readonly<{ id: string; field: DueField }>;
}>;

export type SearchPage = Readonly<{ limit: number; after: SearchPosition | undefined }>;

type Compiling = Readonly<{ reads: 'few' | 'all'; asked: AskedFor<LocatedText> | undefined }>;

export type FoundOrder = ListedOrder & Readonly<{ position: SearchPosition }>;

/** Finds orders of any age by a condition and by what a caller knows of the order. */
@Injectable()
export class OrderFinder {
  constructor(
    @Inject(ReplicaPool) private readonly pool: Pick<Pool, 'query'>,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {}

  /** Returns a page by keyset: deep pages are as fast as the first one, and no page skips or repeats an order. */
  async find(question: SearchQuestion, page: SearchPage, access: SearchAccess): Promise<FoundOrder[]> {
    const asked = await this.located(question, access);
    const ids = (reads: 'few' | 'all') => {
      const { statement, parts, values } = this.compiled(question, page, access, { reads, asked });
      return { text: statement.ids(parts), values };
    };
    const found = (await this.read(ids('few'))) ?? (await this.read(ids('all'))) ?? [];
    const orders = new Map((await listedOrders(this.pool, found)).map((order) => [order.id, order]));
    return found.flatMap(({ id, at }) => {
      const order = orders.get(id);
      return order ? [{ ...order, position: { at: cursorValue(at), id } }] : [];
    });
  }

  /** What `q` is taken for. Undefined without `q`. */
  asked({ q, isWhole }: Pick<SearchQuestion, 'q' | 'isWhole'>, access: SearchAccess): AskedFor | undefined {
    if (q === undefined) return undefined;
    return (isWhole ? askedWhole : askedFor)(q, askedBuyers(access), this.sealer);
  }

  /** The statement of a page in a shape, for a question without `q`. Its last column is `at`, which makes the position of a row together with the order's id. */
  statement(question: SearchQuestion, page: SearchPage, access: SearchAccess, shape: OrderShape): QueryConfig {
    const { statement, parts, values } = this.compiled(question, page, access, { reads: 'all', asked: undefined });
    return { text: statement.text(parts, shape), values };
  }

  /** What `q` is taken for, with the shows and listings that it means. */
  private async located(question: SearchQuestion, access: SearchAccess): Promise<AskedFor<LocatedText> | undefined> {
    const asked = question.isWhole ? undefined : this.asked(question, access);
    return asked && { ...asked, spoken: await located(this.pool, asked.spoken) };
  }

  private compiled(question: SearchQuestion, page: SearchPage, access: SearchAccess, { reads, asked }: Compiling) {
    const parameters = new Parameters();
    const context = searchContext(access, this.clock, this.sealer);
    const { queue, awake, escalatedIn } = question;
    const { sources, rest } = queue
      ? { sources: [queueItems(queue, access.sellers, parameters)], rest: question.where }
      : searchParts(question.where ?? ANY, asked, context, parameters);
    const statement = new SearchStatement(parameters, { sort: question.sort, ...page, reads });
    const only = () => {
      const conditions = this.conditions({ ...question, where: rest }, access, context, parameters);
      if (awake) conditions.push(IS_AWAKE);
      if (escalatedIn) conditions.push(isEscalated(parameters.add(escalatedIn.id), escalatedIn.field));
      return conditions.join(' and ');
    };
    const parts = sources.flatMap((source) => statement.parts(source, only()));
    return { statement, parts, values: parameters.values };
  }

  /** Counts the orders that the list by filters has. */
  async count(question: Pick<SearchQuestion, 'where' | 'q' | 'isWhole'>, access: SearchAccess): Promise<number> {
    const parameters = new Parameters();
    const context = searchContext(access, this.clock, this.sealer);
    const where = this.conditions(question, access, context, parameters).join(' and ');
    const text = `select count(*)::int as count from orders o where ${where}`;
    const { rows } = await this.pool.query<{ count: number }>(text, parameters.values);
    return rows[0]?.count ?? 0;
  }

  private conditions(
    { where, ...question }: Pick<SearchQuestion, 'where' | 'q' | 'isWhole'>,
    access: SearchAccess,
    context: ConditionContext,
    parameters: Parameters,
  ): string[] {
    const conditions = [conditionWithin(where, access, context, parameters)];
    const asked = question.isWhole ? this.asked(question, access) : undefined;
    return asked ? [...conditions, askedSql(asked, context, parameters)] : conditions;
  }

  /** Undefined if a few matches were asked for, and there are more. */
  private async read(statement: QueryConfig): Promise<FoundId[] | undefined> {
    const { rows } = await this.pool.query<FoundId | NoOrder>(statement);
    return rows.every(isOrder) ? rows : undefined;
  }
}

export function searchContext({ sellers }: SearchAccess, clock: Clock, sealer: Sealer): ConditionContext {
  return {
    now: clock.iso(),
    partnerNotesOnly: sellers !== undefined,
    digests: (field, value) => askedDigests(sealer, field, value),
  };
}

/** True for an order `o` that nobody has snoozed. */
export const IS_AWAKE = 'not exists (select from work_items w where w.order_id = o.id and w.snoozed_until is not null)';

/** What `q` may ask for of a buyer: brokers find whole addresses and numbers, no names, which would tell who else buys. */
function askedBuyers({ sellers, buyers }: SearchAccess): AskedBuyers {
  if (!buyers) return 'none';
  return sellers === undefined ? 'all' : 'addresses';
}

/** The condition over a row `o` of table `orders`, for the orders that the caller sees. */
export function conditionWithin(
  where: ParsedCondition | undefined,
  access: SearchAccess,
  context: ConditionContext,
  parameters: Parameters,
): string {
  const asked = conditionSql(where ?? ANY, context, parameters);
  return access.sellers === undefined ? asked : `${asked} and ${isSeenBy(parameters.add(access.sellers))}`;
}

const ANY: ParsedCondition = { and: [] };

type FoundId = Readonly<{ id: string; at: Date | number }>;
type NoOrder = Readonly<{ id: null }>;

const isOrder = (row: FoundId | NoOrder): row is FoundId => row.id !== null;

function cursorValue(at: Date | number): string | number {
  if (at === Infinity) return 'infinity';
  return typeof at === 'number' ? at : at.toISOString();
}
