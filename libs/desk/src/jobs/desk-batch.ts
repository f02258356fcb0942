import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import type { OrderJobKind } from '../job.contract.js';
import type { ItemResult, JobItem, JobRow } from '../job.js';
import { NO_SUCH_ORDER } from './order-batch.js';

/** A change of what is recorded beside orders, which does not raise their versions. */
export type DeskChange =
  | Readonly<{ kind: 'tag'; add: readonly string[]; remove: readonly string[] }>
  | Readonly<{ kind: 'assign'; assignee: string | null }>;

// As many as one order can have.
const MOST_TAGS = 50;

/** Tags or assigns several orders at once. */
@Injectable()
export class DeskBatch {
  /** Returns the outcomes in the order of the items. */
  async apply(
    client: ClientBase,
    items: readonly Pick<JobItem, 'order_id'>[],
    change: DeskChange,
  ): Promise<ItemResult[]> {
    const ids = items.map(({ order_id: orderId }) => orderId);
    await client.query(LOCK, [ids]);
    return await this.results(client, ids, change.kind === 'tag' ? TAG : ASSIGN, change);
  }

  /** What would become of the orders. Changes and locks nothing. */
  async outcomes(pool: Pool, ids: readonly string[], change: DeskChange): Promise<ItemResult[]> {
    return await this.results(pool, ids, change.kind === 'tag' ? WOULD_TAG : WOULD_ASSIGN, change);
  }

  private async results(
    connection: ClientBase | Pool,
    ids: readonly string[],
    statement: string,
    change: DeskChange,
  ): Promise<ItemResult[]> {
    const values = change.kind === 'tag' ? [change.add, change.remove] : [change.assignee];
    const { rows } = await connection.query<DeskRow>(statement, [ids, ...values]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => resultOf(byId.get(id)));
  }

  /** Gives back what the change replaced, where it is still as the change left it. */
  async undo(client: ClientBase, items: readonly JobItem[], change: DeskChange): Promise<ItemResult[]> {
    await client.query(LOCK, [items.map(({ order_id: id }) => id)]);
    return await undone(client, items, change, change.kind === 'tag' ? UNTAG : UNASSIGN);
  }

  /** What `undo` would do now. */
  async undoable(
    client: Pick<ClientBase, 'query'>,
    items: readonly ChangedItem[],
    change: DeskChange,
  ): Promise<ItemResult[]> {
    return await undone(client, items, change, change.kind === 'tag' ? CAN_UNTAG : CAN_UNASSIGN);
  }
}

type ChangedItem = Pick<JobItem, 'order_id' | 'before'>;

async function undone(
  client: Pick<ClientBase, 'query'>,
  items: readonly ChangedItem[],
  change: DeskChange,
  statement: string,
): Promise<ItemResult[]> {
  const rows = items.map(({ order_id: id, before }) => {
    const { tags = [], assignee = null } = (before ?? {}) as { tags?: string[]; assignee?: string | null };
    if (change.kind === 'tag') return { id, tags, after: tagsAfter(tags, change) };
    return { id, assignee, after: change.assignee };
  });
  const { rows: found } = await client.query<{ id: string }>(statement, [JSON.stringify(rows)]);
  const ids = new Set(found.map(({ id }) => id));
  return items.map(({ order_id: id }) => (ids.has(id) ? { outcome: 'done' } : CHANGED_SINCE));
}

const CHANGED_SINCE = { outcome: 'refused', reason: 'Somebody has changed it since.' } as const;

/** The tags after the change, as the statement computes them. */
export function tagsAfter(
  before: readonly string[],
  { add, remove }: Pick<Extract<DeskChange, { kind: 'tag' }>, 'add' | 'remove'>,
): string[] {
  return [...new Set([...before, ...add])].filter((tag) => !remove.includes(tag));
}

/** Undefined of a job that changes the orders themselves. */
export function deskChange(kind: OrderJobKind, given: JobRow['arguments']): DeskChange | undefined {
  const {
    add = [],
    remove = [],
    operator_id: assignee,
  } = given as {
    add?: string[];
    remove?: string[];
    operator_id?: string | null;
  };
  if (kind === 'tag') return { kind, add, remove };
  return kind === 'assign' ? { kind, assignee: assignee ?? null } : undefined;
}

type DeskRow = Readonly<{ id: string; before: Readonly<Record<string, unknown>>; is_written: boolean; tags: number }>;

function resultOf(row: DeskRow | undefined): ItemResult {
  if (!row) return NO_SUCH_ORDER;
  if (row.tags > MOST_TAGS) return { outcome: 'refused', reason: `An order has at most ${MOST_TAGS} tags.` };
  return row.is_written ? { outcome: 'done', before: row.before } : { outcome: 'unchanged' };
}

// In the order of the ids, so that two jobs do not block each other. Otherwise a change of a colleague since would be lost.
const LOCK = 'select from order_desk where order_id = any($1) order by order_id for update';

const TAGGED = `
  known as materialized (
    select o.id, coalesce(desk.tags, '{}') as tags, (
      select coalesce(array_agg(tag order by place), '{}') from (
        select tag, min(place) as place from unnest(coalesce(desk.tags, '{}') || $2::text[]) with ordinality as every (tag, place)
        where tag <> all($3::text[]) group by tag) as one) as wanted
    from orders o left join order_desk desk on desk.order_id = o.id where o.id = any($1) order by o.id)`;

const TAG = `
  with ${TAGGED},
  written as (
    insert into order_desk (order_id, tags)
    select id, wanted from known where wanted <> tags and cardinality(wanted) <= ${MOST_TAGS} order by id
    on conflict (order_id) do update set tags = excluded.tags, version = order_desk.version + 1
    returning order_id)
  select id, cardinality(wanted) as tags, json_build_object('tags', tags) as before, order_id is not null as is_written
  from known left join written on order_id = id`;

const WOULD_TAG = `
  with ${TAGGED}
  select id, cardinality(wanted) as tags, json_build_object('tags', tags) as before, wanted <> tags as is_written from known`;

const ASSIGNED = `
  known as materialized (
    select o.id, desk.assignee from orders o left join order_desk desk on desk.order_id = o.id where o.id = any($1) order by o.id)`;

const ASSIGN = `
  with ${ASSIGNED},
  written as (
    insert into order_desk (order_id, assignee) select id, $2::text from known where assignee is distinct from $2::text order by id
    on conflict (order_id) do update set assignee = excluded.assignee, version = order_desk.version + 1
    returning order_id)
  select id, 0 as tags, json_build_object('assignee', assignee) as before, order_id is not null as is_written
  from known left join written on order_id = id`;

const WOULD_ASSIGN = `
  with ${ASSIGNED}
  select id, 0 as tags, json_build_object('assignee', assignee) as before, assignee is distinct from $2::text as is_written from known`;

const AS_TAGGED = `json_to_recordset($1) as given (id text, tags json, after json)
  where desk.order_id = given.id and desk.tags = array(select json_array_elements_text(given.after))`;
const UNTAG = `
  update order_desk desk set tags = array(select json_array_elements_text(given.tags)), version = desk.version + 1
  from ${AS_TAGGED} returning given.id`;
const CAN_UNTAG = `select given.id from order_desk desk, ${AS_TAGGED}`;

const AS_ASSIGNED = `json_to_recordset($1) as given (id text, assignee text, after text)
  where desk.order_id = given.id and desk.assignee is not distinct from given.after`;
const UNASSIGN = `
  update order_desk desk set assignee = given.assignee, version = desk.version + 1 from ${AS_ASSIGNED} returning given.id`;
const CAN_UNASSIGN = `select given.id from order_desk desk, ${AS_ASSIGNED}`;
