import type { ClientBase, Pool } from 'pg';
import type { InboxNoticeKind } from './inbox.contract.js';

export type NewNotice = Readonly<{
  kind: InboxNoticeKind;
  /** The operators who are told. */
  to: readonly string[];
  /** The order that it is about, or the first of several. */
  orderId: string;
  orders?: number;
  /** Notices with the same cause are one: a job assigns its orders bit by bit. */
  cause?: string;
  actor: string;
  /** ISO 8601. */
  at: string;
}>;

/** Tells operators what concerns them, but not what they did themselves. @param client of the transaction of what they are told */
export async function tellOperators(client: Pick<ClientBase, 'query'>, notice: NewNotice): Promise<void> {
  const { kind, to, orderId, orders = 1, cause = null, actor, at } = notice;
  await client.query(TELL, [to, kind, orderId, orders, cause, actor, at]);
}

/** The notices since then, and whom they are for, as an actor. @param at may be some seconds ago, because transactions take a while */
export async function inboxSince(pool: Pool, at: Date): Promise<readonly Readonly<{ id: string; actor: string }>[]> {
  const { rows } = await pool.query<{ id: string; actor: string }>(SINCE, [at]);
  return rows;
}

const TELL = `
  insert into inbox_notices (operator_id, kind, order_id, orders, cause, actor, at, to_mail)
  select id, $2, $3, $4, $5, $6, $7, inbox_mails from operators
  where id = any($1) and state = 'active' and 'operator:' || id <> $6 order by id
  on conflict (operator_id, cause) where cause is not null do update set orders = inbox_notices.orders + excluded.orders`;

const SINCE = `select id::text, 'operator:' || operator_id as actor from inbox_notices where at >= $1`;
