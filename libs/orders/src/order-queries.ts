import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Fulfillment } from '#domain/order-events';
import type { Stage } from '#domain/order-state';
import { DIGEST_COLUMNS, type WantedDigests } from './digest-columns.js';
import type { StoredNote } from './event-notes.js';
import { spellingsOf } from './asked-for.js';
import type { OrderSummary, PurchaseDocument } from './order-row.js';
import { isSeenBy } from '#accounts/seen-orders';

/** The filters of staff. Times are ISO 8601. `buyers`: who `q` may be. */
export type OrderFilter = Readonly<{
  status?: readonly string[] | undefined;
  status_code?: readonly number[] | undefined;
  q?: string | undefined;
  buyers?: readonly WantedDigests[] | undefined;
  event_id?: string | undefined;
  listing_id?: string | undefined;
  ref_id?: string | undefined;
  client_id?: string | undefined;
  stage: Stage | 'all';
  placed_from?: string | undefined;
  placed_to?: string | undefined;
  /** Only orders of these sellers. Null: of all. */
  sellers: readonly string[] | null;
}>;

export type OrderPage = Readonly<{ sort: OrderSort; limit: number; after?: OrderCursor | undefined }>;

/** `at` is the value of the sorted column. The id breaks ties. */
export type OrderCursor = Readonly<{ at: string; id: string }>;

/** This closed map keeps text of the request out of the statement. */
const SORTS = {
  'placed_at.desc': { column: 'placed_at', direction: 'desc', beyond: '<' },
  'placed_at.asc': { column: 'placed_at', direction: 'asc', beyond: '>' },
  'updated_at.desc': { column: 'updated_at', direction: 'desc', beyond: '<' },
  'updated_at.asc': { column: 'updated_at', direction: 'asc', beyond: '>' },
} as const;
export type OrderSort = keyof typeof SORTS | 'confirm_by.asc';

/** Sorts orders that nobody has to confirm. */
const NO_DEADLINE = 'infinity';

export type ListedOrder = Readonly<{
  id: string;
  version: number;
  client_id: string;
  variant: 'payment' | 'wholesale';
  stage: Stage;
  total_cents: number;
  transaction_id: string;
  placed_at: Date;
  updated_at: Date;
  /** Null when the order does not wait for the broker. */
  confirm_by: Date | null;
  purchase: PurchaseDocument;
  personal: Buffer | null;
  personal_data: OrderSummary['personal_data'];
  key: Buffer | null;
  /** The id and the name of the operator whom the order is assigned to. */
  assignee: string | null;
  assignee_name: string | null;
  tags: readonly string[];
  /** Counts the changes of tags and assignee. */
  desk_version: number;
}>;

export type DetailedOrder = ListedOrder &
  Readonly<{
    summary: OrderSummary;
    history: readonly (StoredNote & Readonly<{ actor: string }>)[];
    corrections: readonly FulfillmentCorrection[];
  }>;

/** A fulfillment that was replaced without a new status. */
export type FulfillmentCorrection = StoredNote &
  Readonly<{ actor: string; fulfillment: Fulfillment; recorded_at: string }>;

/** Where the page after this order begins. */
export function cursorAfter({ id, placed_at, updated_at, confirm_by }: ListedOrder, sort: OrderSort): OrderCursor {
  if (sort === 'confirm_by.asc') return { at: confirm_by?.toISOString() ?? NO_DEADLINE, id };
  return { at: (sort.startsWith('placed_at') ? placed_at : updated_at).toISOString(), id };
}

/** The columns of a listed order that do not follow from its events. */
export const BESIDE_COLUMNS = `o.summary ->> 'personal_data' as personal_data, k.key,
  d.assignee, coalesce(d.tags, '{}') as tags, coalesce(d.version, 0) as desk_version, p.name as assignee_name`;

/** The columns of a listed order, and the tables that they come from. */
export const LISTED_COLUMNS = `o.id, o.version, o.client_id, o.variant, o.stage, o.total_cents, o.transaction_id,
  o.placed_at, o.updated_at, case when o.due_for = 'confirmation' then o.due_at end as confirm_by, o.purchase, o.personal,
  ${BESIDE_COLUMNS}`;
export const LISTED_SOURCE = `orders o left join personal_data_keys k on k.order_id = o.id
  left join order_desk d on d.order_id = o.id left join operators p on p.id = d.assignee`;

/**
 * The orders that were found, in any order. Its plan is kept, because planning it took longer than running it, and twice as long as
 * finding the ids.
 */
export async function listedOrders(pool: Pool, found: readonly Readonly<{ id: string }>[]): Promise<ListedOrder[]> {
  if (found.length === 0) return [];
  const values = [found.map(({ id }) => id)];
  const { rows } = await pool.query<ListedOrder>({ name: 'listed-orders', text: LISTED_BY_ID, values });
  return rows;
}

const LISTED_BY_ID = `select ${LISTED_COLUMNS} from ${LISTED_SOURCE} where o.id = any($1)`;

/** An erasure reaches the notes of earlier corrections, which only the log has. */
const ERASED_AT = `coalesce((select max(x.position) from events x
  where x.stream = 'order-' || o.id and x.type = 'PersonalDataErased'), 0)`;

type Part = Readonly<{
  only?: string;
  order: string;
  limit: number;
  /** The rows after the cursor. Adds its values to the statement's. */
  after?: ((values: unknown[]) => string) | undefined;
}>;

function beyondTime(column: string, beyond: '<' | '>', { at, id }: OrderCursor): (values: unknown[]) => string {
  return (values) => `(${column}, o.id) ${beyond} ($${values.push(at)}::timestamptz, $${values.push(id)})`;
}

@Injectable()
export class OrderQueries {
  constructor(private readonly pool: Pool) {}

  /** Keyset pages: deep pages are as fast as the first one, and no page skips or repeats an order. */
  async list(filter: OrderFilter, { sort, limit, after }: OrderPage): Promise<ListedOrder[]> {
    if (sort === 'confirm_by.asc') return this.listByDeadline(filter, limit, after);
    const { column, direction, beyond } = SORTS[sort];
    const order = `order by o.${column} ${direction}, o.id ${direction}`;
    return this.select(filter, { order, limit, after: after && beyondTime(`o.${column}`, beyond, after) });
  }

  async count(filter: OrderFilter): Promise<number> {
    const { conditions, values } = conditionsOf(filter);
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
    const text = `select count(*)::int as count from orders o ${where}`;
    const { rows } = await this.pool.query<{ count: number }>(text, values);
    return rows[0]?.count ?? 0;
  }

  /** Orders that wait for a broker come first, then all others by id. Each part has an index, so nothing needs sorting. */
  private async listByDeadline(filter: OrderFilter, limit: number, after?: OrderCursor): Promise<ListedOrder[]> {
    const isPast = after?.at === NO_DEADLINE;
    const waiting = isPast
      ? []
      : await this.select(filter, {
          only: `o.due_for = 'confirmation'`,
          order: 'order by o.due_at, o.id',
          limit,
          after: after && beyondTime('o.due_at', '>', after),
        });
    if (waiting.length === limit) return waiting;
    const others = await this.select(filter, {
      only: `o.due_for is distinct from 'confirmation'`,
      order: 'order by o.id',
      limit: limit - waiting.length,
      after: isPast ? (values) => `o.id > $${values.push(after.id)}` : undefined,
    });
    return [...waiting, ...others];
  }

  private async select(filter: OrderFilter, { only, order, limit, after }: Part): Promise<ListedOrder[]> {
    const { conditions, values } = conditionsOf(filter);
    if (only !== undefined) conditions.push(only);
    if (after) conditions.push(after(values));
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
    const { rows } = await this.pool.query<ListedOrder>(
      `select ${LISTED_COLUMNS} from ${LISTED_SOURCE} ${where} ${order} limit $${values.push(limit)}`,
      values,
    );
    return rows;
  }

  async find(id: string): Promise<DetailedOrder | undefined> {
    const { rows } = await this.pool.query<DetailedOrder>(
      `select ${LISTED_COLUMNS}, o.summary,
         (select coalesce(json_agg(json_build_object('position', h.position, 'actor', h.actor, 'note', h.note,
            'sealed_note', h.sealed_note)
            order by h.sequence), '[]') from status_history h where h.order_id = o.id) as history,
         (select coalesce(json_agg(json_build_object('position', e.position, 'actor', e.metadata ->> 'actor',
            'note', case when e.position > ${ERASED_AT} then e.data ->> 'note' end, 'sealed_note', e.data ->> 'sealed_note',
            'fulfillment', e.data -> 'fulfillment', 'recorded_at', e.recorded_at)
            order by e.position), '[]')
          from events e where e.stream = 'order-' || o.id and e.type = 'FulfillmentCorrected') as corrections
       from ${LISTED_SOURCE} where o.id = $1`,
      [id],
    );
    return rows[0];
  }
}

function conditionsOf(filter: OrderFilter): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const add = (value: unknown, condition: (parameter: string) => string) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add(filter.stage === 'all' ? undefined : filter.stage, (p) => `o.stage = ${p}`);
  add(filter.status, (p) => `o.status = any(${p})`);
  add(filter.status_code, (p) => `o.status_code = any(${p})`);
  add(filter.event_id, (p) => `o.event_id = ${p}`);
  add(filter.listing_id, (p) => `o.listing_id = ${p}`);
  add(filter.ref_id, (p) => `o.ref_id = ${p}`);
  add(filter.client_id, (p) => `o.client_id = ${p}`);
  add(filter.placed_from, (p) => `o.placed_at >= ${p}::timestamptz`);
  add(filter.placed_to, (p) => `o.placed_at < ${p}::timestamptz`);
  add(filter.sellers ?? undefined, (p) => isSeenBy(p));
  add(filter.q === undefined ? undefined : spellingsOf(filter.q), (p) => {
    return `(${matches(p, filter.buyers ?? [], (digests) => `$${values.push(digests)}::bytea[]`)})`;
  });
  return { conditions, values };
}

type Placeholder = (digests: readonly Buffer[]) => string;

// Each alternative has its own index, so the planner combines bitmaps instead of scanning the table.
function matches(spellings: string, buyers: readonly WantedDigests[], placeholder: Placeholder): string {
  const columns = ['id', 'ref_id', 'listing_id', 'event_id'];
  // The index covers only the start of a transaction id.
  const starts = `array(select left(spelling, 200) from unnest(${spellings}::text[]) spelling)`;
  const byTransaction = `(left(o.transaction_id, 200) = any(${starts}) and o.transaction_id = any(${spellings}::text[]))`;
  const byBuyer = buyers.flatMap(({ field, digests }) => {
    const wanted = placeholder(digests);
    return [`${DIGEST_COLUMNS[field]} = any(${wanted})`, `other_digests && ${wanted}`].map(
      (condition) => `o.id = any(array(select order_id from personal_data_keys where ${condition}))`,
    );
  });
  return [...columns.map((column) => `o.${column} = any(${spellings}::text[])`), byTransaction, ...byBuyer].join(
    ' or ',
  );
}
