import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { OrderSummary, PurchaseDocument, Stage } from './order-row.js';

/** What staff look for. Times ISO 8601; `emailDigest` is that of `q` taken as an e-mail address. */
export type OrderFilter = Readonly<{
  status?: readonly string[] | undefined;
  status_code?: readonly number[] | undefined;
  q?: string | undefined;
  emailDigest?: Buffer | undefined;
  event_id?: string | undefined;
  listing_id?: string | undefined;
  ref_id?: string | undefined;
  client_id?: string | undefined;
  stage: Stage | 'all';
  placed_from?: string | undefined;
  placed_to?: string | undefined;
}>;

export type OrderPage = Readonly<{ sort: OrderSort; limit: number; after?: OrderCursor | undefined }>;

/** Where a page ended: the sorted column's value and the id that breaks ties. */
export type OrderCursor = Readonly<{ at: string; id: string }>;

/** Sorts come through this closed map, never from the request into the statement. */
const SORTS = {
  'placed_at.desc': { column: 'placed_at', direction: 'desc', beyond: '<' },
  'placed_at.asc': { column: 'placed_at', direction: 'asc', beyond: '>' },
  'updated_at.desc': { column: 'updated_at', direction: 'desc', beyond: '<' },
  'updated_at.asc': { column: 'updated_at', direction: 'asc', beyond: '>' },
} as const;
export type OrderSort = keyof typeof SORTS;

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
  purchase: PurchaseDocument;
  personal: Buffer | null;
  personal_data: OrderSummary['personal_data'];
  key: Buffer | null;
}>;

export type DetailedOrder = ListedOrder &
  Readonly<{
    summary: OrderSummary;
    history: readonly Readonly<{ sequence: number; actor: string; note: string | null }>[];
  }>;

const COLUMNS = `o.id, o.version, o.client_id, o.variant, o.stage, o.total_cents, o.transaction_id,
  o.placed_at, o.updated_at, o.purchase, o.personal, o.summary ->> 'personal_data' as personal_data, k.key`;
const SOURCE = 'orders o left join personal_data_keys k on k.order_id = o.id';

/** What staff read of orders. */
@Injectable()
export class OrderQueries {
  constructor(private readonly pool: Pool) {}

  /** A page of orders by keyset: a page is as quick deep in the list as at its start, and never skips or repeats. */
  async list(filter: OrderFilter, { sort, limit, after }: OrderPage): Promise<ListedOrder[]> {
    const { column, direction, beyond } = SORTS[sort];
    const { conditions, values } = conditionsOf(filter);
    if (after) {
      values.push(after.at, after.id);
      conditions.push(`(o.${column}, o.id) ${beyond} ($${values.length - 1}::timestamptz, $${values.length})`);
    }
    values.push(limit);
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
    const { rows } = await this.pool.query<ListedOrder>(
      `select ${COLUMNS} from ${SOURCE} ${where}
       order by o.${column} ${direction}, o.id ${direction} limit $${values.length}`,
      values,
    );
    return rows;
  }

  async find(id: string): Promise<DetailedOrder | undefined> {
    const { rows } = await this.pool.query<DetailedOrder>(
      `select ${COLUMNS}, o.summary,
         (select coalesce(json_agg(json_build_object('sequence', h.sequence, 'actor', h.actor, 'note', h.note)
            order by h.sequence), '[]') from status_history h where h.order_id = o.id) as history
       from ${SOURCE} where o.id = $1`,
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
  add(filter.q, (p) => `(${matches(p, filter.emailDigest && `$${values.push(filter.emailDigest)}`)})`);
  return { conditions, values };
}

// Each alternative has an index of its own, so the planner joins bitmaps instead of reading the table.
function matches(q: string, emailDigest: string | undefined): string {
  const columns = ['id', 'ref_id', 'listing_id', 'event_id'];
  // The index has the start of a transaction id.
  const byTransaction = `(left(o.transaction_id, 200) = left(${q}, 200) and o.transaction_id = ${q})`;
  const byEmail = `o.id in (select order_id from personal_data_keys where email_digest = ${emailDigest})`;
  const alternatives = [...columns.map((column) => `o.${column} = ${q}`), byTransaction];
  return [...alternatives, ...(emailDigest ? [byEmail] : [])].join(' or ');
}
