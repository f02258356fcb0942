import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { AuditLog } from '#accounts/audit-log';
import type { Clock } from '#base/clock';
import { escalationActions, noticeOf } from './escalation-actions.js';
import { tryLockWorkItems } from '../work-item-lock.js';
import type { BuiltInQueue, EscalationRule } from './work-queues.js';

type Escalated = EscalationRule & Readonly<{ order_id: string; since: Date; queue: BuiltInQueue }>;

// A step is one transaction, and others wait for its lock of the audit log.
const AT_ONCE = 100;

/** Escalates orders of the built-in queues: once for each stay in a queue, whatever happens to the process. */
@Injectable()
export class Escalations {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Of a built-in queue, or of one of one's own. Orders that have been escalated stay so. */
  async setRule(queue: string, rule: EscalationRule | null): Promise<void> {
    if (rule === null) {
      await this.pool.query('delete from queue_escalations where queue = $1', [queue]);
      return;
    }
    await this.pool.query(SET_RULE, [queue, rule.after_minutes, rule.assignee, rule.notify]);
  }

  /** Escalates what is due, and returns whether more may be. Safe to run in several processes. */
  async step(): Promise<boolean> {
    const now = this.clock.iso();
    const { rowCount } = await this.pool.query(DUE, [now, 1]);
    if (rowCount === 0) return false;
    return await inTransaction(this.pool, async (client) => {
      // The lock also keeps the orders in their queues meanwhile.
      if (!(await tryLockWorkItems(client))) return false;
      const { rows } = await client.query<Escalated>(DUE, [now, AT_ONCE]);
      if (rows.length === 0) return false;
      const { rows: marked } = await client.query<Pick<Escalated, 'order_id' | 'queue'>>(MARK, [
        rows.map((row) => row.order_id),
        rows.map((row) => row.since),
        rows.map((row) => row.queue),
        rows.map((row) => row.notify),
        rows.map((row) => row.assignee),
        now,
      ]);
      const queueOf = new Map(marked.map(({ order_id: id, queue }) => [id, queue]));
      const escalated = rows.filter(({ order_id: id, queue }) => queueOf.get(id) === queue);
      await this.audit.recordAll(
        escalated.flatMap(({ order_id: id, queue, ...rule }) => escalationActions(id, rule, { queue })),
        client,
      );
      return rows.length === AT_ONCE;
    });
  }
}

const SET_RULE = `
  insert into queue_escalations (queue, after_minutes, assignee, notify) values ($1, $2, $3, $4)
  on conflict (queue) do update set after_minutes = excluded.after_minutes, assignee = excluded.assignee, notify = excluded.notify`;

const LATE = '$1::timestamptz - make_interval(mins => rule.after_minutes)';

const STAYING = 'w.escalated_at is null and w.place is not null';

/** $1: the time now, $2: how many. A snoozed order waits until it is back. Each part reads only what is due, through its index. */
const DUE = `
  select due.order_id, due.since, rule.* from queue_escalations rule cross join lateral (
    (select w.order_id, w.since from work_items w
      where rule.queue <> 'overdue' and w.queue = rule.queue and ${STAYING} and w.since <= ${LATE}
      order by w.since limit $2)
    union all
    (select w.order_id, w.since from work_items w
      where rule.queue = 'overdue' and w.place = 'overdue' and ${STAYING} and w.due_at <= ${LATE}
      order by w.due_at limit $2)) as due
  limit $2`;

/** The orders that were not escalated yet. An order may be due by two rules. */
const MARK = `
  with due as (
    select distinct on (order_id) * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])
      as due (order_id, since, queue, notify, assignee)),
  marked as (
    insert into work_escalations (order_id, since, queue, escalated_at, notify)
      select order_id, since, queue, $6::timestamptz, ${noticeOf('notify')} from due on conflict do nothing returning order_id, queue),
  assigned as (
    insert into order_desk (order_id, assignee) select order_id, assignee from due join marked using (order_id)
      where assignee is not null
    on conflict (order_id) do update set assignee = excluded.assignee, version = order_desk.version + 1),
  shown as (update work_items w set escalated_at = $6::timestamptz from due where w.order_id = due.order_id)
  select order_id, queue from marked`;
