import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** The position of a reader: `feed` for events of orders, `audit` for what staff recorded beside them. */
export type ChangePosition = Readonly<{ feed: number; audit: number }>;

/** An order that has changed, as it is now. It holds nothing personal. */
export type OrderChange = Readonly<{
  order_id: string;
  version: number;
  desk_version: number;
  status: string | null;
  status_message: string | null;
  status_code: number | null;
  stage: string;
  seller: string | null;
  queue: string | null;
}>;

export type ChangePage = Readonly<{ changes: readonly OrderChange[]; position: ChangePosition; isLast: boolean }>;

const PAGE = 500;

/** Which orders have changed since a position, by events or by what staff record beside them. */
@Injectable()
export class OrderChangeFeed {
  constructor(private readonly pool: Pool) {}

  async end(): Promise<ChangePosition> {
    const { rows } = await this.pool.query<{ feed: string; audit: string }>(END);
    return { feed: Number(rows[0]?.feed), audit: Number(rows[0]?.audit) };
  }

  /** Each order once, however often it has changed. */
  async after({ feed, audit }: ChangePosition): Promise<ChangePage> {
    const { rows } = await this.pool.query<PageRow>(AFTER, [feed, audit, PAGE]);
    const [row] = rows;
    if (!row) throw new Error('the changes of orders have no row');
    const position = { feed: Number(row.feed ?? feed), audit: Number(row.audit ?? audit) };
    return { changes: row.changes, position, isLast: row.events < PAGE && row.actions < PAGE };
  }
}

type PageRow = {
  feed: string | null;
  audit: string | null;
  events: number;
  actions: number;
  changes: OrderChange[];
};

const END = `
  select (select coalesce(max(position), 0) from feed) as feed, (select coalesce(max(position), 0) from audit_log) as audit`;

// Streams are named `order-<id>`, and subjects of the audit log `order:<id>`.
const AFTER = `
  with event as materialized (select position, stream from feed where position > $1 order by position limit $3),
  action as materialized (select position, subject from audit_log where position > $2 order by position limit $3),
  changed as materialized (
    select substr(stream, 7) as id from event where stream like 'order-%'
    union select substr(subject, 7) from action where subject like 'order:%')
  select (select max(position) from event) as feed, (select max(position) from action) as audit,
    (select count(*)::int from event) as events, (select count(*)::int from action) as actions,
    (select coalesce(json_agg(row_to_json(found)), '[]') from changed cross join lateral (
      select o.id as order_id, o.version, coalesce(d.version, 0) as desk_version, o.status, o.status_message, o.status_code,
        o.stage, o.seller, nullif(o.queue, 'waiting') as queue
      from orders o left join order_desk d on d.order_id = o.id where o.id = changed.id offset 0) as found) as changes`;
