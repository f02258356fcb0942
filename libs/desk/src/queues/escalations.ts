import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { storedCondition } from '#orders/order-condition.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { AuditLog } from '#accounts/audit-log';
import { tellOperators } from '#accounts/inbox';
import type { Clock } from '#base/clock';
import { Parameters } from '#orders/condition-sql';
import { asksForBuyer } from '#orders/search-sources';
import { escalationActions, noticeOf } from './escalation-actions.js';
import { lateOrders } from './late-orders.js';
import { isPlaceQueue } from './work-queue.js';
import { type EscalatingQueue, WorkQueues } from './work-queues.js';
import { lockWorkItems } from '../work-item-lock.js';

// A step is one transaction for each queue, and others wait for its lock of the audit log.
const AT_ONCE = 100;
// A custom queue rests for ten times what looking for its orders took, so that a slow condition cannot load the database.
const SHARE = 10;

/** Escalates open orders that stay in a queue for too long: once for each stay, whatever happens to the process. */
@Injectable()
export class Escalations {
  /** The queues by id, with the monotonic time until which they rest. */
  private readonly rests = new Map<string, number>();

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
    private readonly queues: WorkQueues,
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
      // It keeps the orders in their queues. Another worker may have been faster, or somebody may have snoozed an order.
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
      const text = `${lateOrders(queue, this.clock, this.sealer, parameters)} limit ${AT_ONCE}`;
      const { rows } = await this.pool.query<{ order_id: string }>(text, parameters.values);
      return rows.map(({ order_id: id }) => id);
    } finally {
      const endedAt = this.clock.monotonic();
      if (!isPlaceQueue(queue)) this.rests.set(queue.id, endedAt + SHARE * (endedAt - startedAt));
    }
  }

  private async mark(queue: EscalatingQueue, ids: readonly string[], client: ClientBase): Promise<void> {
    const { id, escalation } = queue;
    const parameters = new Parameters();
    const due = lateOrders(queue, this.clock, this.sealer, parameters, ids);
    const now = `${parameters.add(this.clock.iso())}::timestamptz`;
    const to = `${parameters.add(escalation.assignee)}::text`;
    const notify = noticeOf(`${parameters.add(escalation.notify)}::text`);
    const { rows } = await client.query<{ order_id: string }>(
      `with due as (${due}),
      marked as (
        insert into ${isPlaceQueue(queue) ? 'work_escalations' : 'own_escalations'} (queue, order_id, since, escalated_at, notify)
          select ${parameters.add(id)}::text, order_id, since, ${now}, ${notify} from due
        on conflict do nothing returning order_id),
      assigned as (
        insert into order_desk (order_id, assignee) select order_id, ${to} from marked
          where ${to} is not null order by order_id
        on conflict (order_id) do update set assignee = excluded.assignee, version = order_desk.version + 1)
      ${isPlaceQueue(queue) ? `, shown as (update work_items w set escalated_at = ${now} from due where w.order_id = due.order_id)` : ''}
      select order_id from marked order by order_id`,
      parameters.values,
    );
    const [first] = rows;
    if (first && escalation.assignee !== null) {
      const about = { orderId: first.order_id, orders: rows.length };
      const told = { kind: 'assigned', to: [escalation.assignee], actor: 'system', at: this.clock.iso() } as const;
      await tellOperators(client, { ...told, ...about });
    }
    const detail = { queue: id, ...nameFor(queue) };
    await this.audit.recordAll(
      rows.flatMap(({ order_id: order }) => escalationActions(order, escalation, detail)),
      client,
    );
  }
}

/** Not everybody who reads the timeline may see a queue about a buyer. Everybody knows the built-in ones. */
function nameFor(queue: EscalatingQueue): { name?: string } {
  return isPlaceQueue(queue) || asksForBuyer(storedCondition(queue.where)) ? {} : { name: queue.name };
}
