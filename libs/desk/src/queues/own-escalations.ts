import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { storedCondition } from '#orders/order-condition.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { AuditLog } from '#accounts/audit-log';
import type { Clock } from '#base/clock';
import { conditionSql, Parameters } from '#orders/condition-sql';
import { searchContext } from '#orders/order-finder';
import { CLOCK_BEGAN, marks } from '#orders/queue-clock';
import { asksForBuyer } from '#orders/search-sources';
import { escalationActions, noticeOf } from './escalation-actions.js';
import { type EscalatingQueue, OwnQueues } from './own-queues.js';
import { lockWorkItems } from '../work-item-lock.js';

// A step is one transaction, and others wait for its lock of the audit log.
const AT_ONCE = 100;
// A queue rests for ten times what looking for its orders took, so that a slow condition cannot load the database.
const SHARE = 10;
const EVERYTHING = { sellers: undefined, buyers: true } as const;

/** Escalates open orders that are overdue for too long in a queue of one's own: once for each beginning of their clock. */
@Injectable()
export class OwnEscalations {
  /** The queues by id, with the monotonic time until which they rest. */
  private readonly rests = new Map<string, number>();

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
    private readonly queues: OwnQueues,
    private readonly audit: AuditLog,
  ) {}

  /** Escalates what is due, and returns whether more may be. Safe to run in several processes. */
  async step(): Promise<boolean> {
    let isMore = false;
    const now = this.clock.monotonic();
    const restOf = ({ id }: EscalatingQueue) => this.rests.get(id) ?? 0;
    const awake = (await this.queues.escalating()).filter((queue) => restOf(queue) <= now);
    // A queue that fails ends the step, and comes after the others in the next one.
    for (const queue of awake.toSorted((one, other) => restOf(one) - restOf(other))) {
      isMore = (await this.escalate(queue)) || isMore;
    }
    return isMore;
  }

  private async escalate(queue: EscalatingQueue): Promise<boolean> {
    const ids = await this.late(queue);
    if (ids.length === 0) return false;
    await inTransaction(this.pool, async (client) => {
      // Another worker may have been faster, or somebody may have snoozed an order.
      await lockWorkItems(client);
      await this.mark(queue, ids, client);
    });
    if (ids.length < AT_ONCE) return false;
    this.rests.delete(queue.id);
    return true;
  }

  private async late(queue: EscalatingQueue): Promise<string[]> {
    const parameters = new Parameters();
    const startedAt = this.clock.monotonic();
    try {
      const { rows } = await this.pool.query<{ order_id: string }>(
        `${this.due(queue, parameters)} limit ${AT_ONCE}`,
        parameters.values,
      );
      return rows.map(({ order_id: id }) => id);
    } finally {
      const endedAt = this.clock.monotonic();
      this.rests.set(queue.id, endedAt + SHARE * (endedAt - startedAt));
    }
  }

  private async mark(queue: EscalatingQueue, ids: readonly string[], client: ClientBase): Promise<void> {
    const { assignee, notify } = queue.escalation;
    const parameters = new Parameters();
    const due = `${this.due(queue, parameters)} and o.id = any(${parameters.add(ids)}::text[])`;
    const now = `${parameters.add(this.clock.iso())}::timestamptz`;
    const to = `${parameters.add(assignee)}::text`;
    const { rows } = await client.query<{ order_id: string }>(
      `with due as (${due}),
      marked as (
        insert into own_escalations (queue, order_id, since, escalated_at, notify)
          select ${parameters.add(queue.id)}::text, order_id, since, ${now}, ${noticeOf(`${parameters.add(notify)}::text`)} from due
        on conflict do nothing returning order_id),
      assigned as (
        insert into order_desk (order_id, assignee) select order_id, ${to} from marked
          where ${to} is not null order by order_id
        on conflict (order_id) do update set assignee = excluded.assignee, version = order_desk.version + 1)
      select order_id from marked order by order_id`,
      parameters.values,
    );
    // Not everybody who reads the timeline may see a queue about a buyer.
    const name = asksForBuyer(storedCondition(queue.where)) ? {} : { name: queue.name };
    const detail = { queue: queue.id, ...name };
    await this.audit.recordAll(
      rows.flatMap(({ order_id: id }) => escalationActions(id, queue.escalation, detail)),
      client,
    );
  }

  /** Open orders only: a condition may hold for all orders that ever were. */
  private due({ id, where, due: { field, minutes }, escalation }: EscalatingQueue, parameters: Parameters): string {
    const context = searchContext(EVERYTHING, this.clock, this.sealer);
    const late = parameters.add(minutes + escalation.after_minutes);
    return `select o.id as order_id, ${CLOCK_BEGAN[field]} as since
      from work_items item join orders o on o.id = item.order_id
      where item.place is not null
        and ${CLOCK_BEGAN[field]} <= ${parameters.add(context.now)}::timestamptz - make_interval(mins => ${late}::int)
        and ${conditionSql(storedCondition(where), context, parameters)}
        and not exists (select from own_escalations e where ${marks(parameters.add(id), field)})`;
  }
}
