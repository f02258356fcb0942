import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { storedCondition } from '#orders/order-condition.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { Parameters } from '#orders/condition-sql';
import { conditionWithin, IS_AWAKE, type SearchAccess, searchContext } from '#orders/order-finder';
import { CLOCK_BEGAN, isEscalated } from '#orders/queue-clock';
import type { OwnQueue } from './own-queues.js';
import { SharedCounts } from './shared-counts.js';
import type { QueueCounts } from './work-queues.js';

// A condition that is slow to count is counted less often, so that it cannot load the database.
const PACE = { freshMs: 400, share: 10, slowMs: 40 };

/** Counts the orders of queues with a condition. */
@Injectable()
export class OwnQueueCounts {
  private readonly shared: SharedCounts<QueueCounts>;

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {
    this.shared = new SharedCounts(clock, PACE);
  }

  async of(queue: OwnQueue, access: SearchAccess): Promise<QueueCounts> {
    const key = JSON.stringify([queue.id, queue.where, queue.due, access.sellers]);
    return await this.shared.of(key, () => this.read(queue, access));
  }

  private async read({ id, where, due }: OwnQueue, access: SearchAccess): Promise<QueueCounts> {
    const parameters = new Parameters();
    const context = searchContext(access, this.clock, this.sealer);
    const condition = conditionWithin(storedCondition(where), access, context, parameters);
    const minutes = parameters.add(due.minutes);
    const { rows } = await this.pool.query<QueueCounts>(
      `select count(*) filter (where is_awake)::int as count,
        count(*) filter (where is_awake and due_at <= ${parameters.add(context.now)}::timestamptz)::int as overdue,
        min(due_at) filter (where is_awake) as next_due_at, count(*) filter (where not is_awake)::int as snoozed,
        count(*) filter (where is_escalated)::int as escalated
      from (select ${CLOCK_BEGAN[due.field]} + make_interval(mins => ${minutes}) as due_at, ${IS_AWAKE} as is_awake,
          ${isEscalated(parameters.add(id), due.field)} as is_escalated
        from orders o where ${condition}) as found`,
      parameters.values,
    );
    const [counts] = rows;
    if (!counts) throw new Error('an aggregate has one row');
    return counts;
  }
}
