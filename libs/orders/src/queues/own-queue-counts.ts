import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { storedCondition } from '#contracts/backoffice/order-condition';
import { Sealer } from '#crypto/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#runtime/clock';
import { conditionSql, Parameters } from '../search/condition-sql.js';
import { IS_AWAKE, type SearchAccess, searchContext, within } from '../search/order-finder.js';
import { CLOCK_BEGAN, isEscalated } from '../search/queue-clock.js';
import type { OwnQueue } from './own-queues.js';
import type { QueueCounts } from './work-queues.js';

// A queue is counted again after this time at the earliest, or after ten times what counting it costs.
const FRESH_MS = 400;
const SHARE = 10;
// Nobody waits for a count that takes longer, once it is known.
const SLOW_MS = 40;
const MOST_KNOWN = 1_000;

type Known = Readonly<{ counts: QueueCounts; at: number; costMs: number }>;

/** Counts the orders of queues with a condition. A condition that is slow to count is counted less often, so that it cannot load the database. */
@Injectable()
export class OwnQueueCounts {
  private readonly known = new Map<string, Known>();
  private readonly running = new Map<string, Promise<QueueCounts>>();

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {}

  async of(queue: OwnQueue, access: SearchAccess): Promise<QueueCounts> {
    const key = JSON.stringify([queue.id, queue.where, queue.due, access.sellers]);
    const known = this.known.get(key);
    const age = known ? this.clock.monotonic() - known.at : Infinity;
    const fresh = Math.max(FRESH_MS, SHARE * (known?.costMs ?? 0));
    if (known && age < fresh) return known.counts;
    const running = this.running.get(key) ?? this.count(key, queue, access);
    if (!known || known.costMs < SLOW_MS || age > 2 * fresh) return await running;
    running.catch(() => undefined);
    return known.counts;
  }

  private count(key: string, queue: OwnQueue, access: SearchAccess): Promise<QueueCounts> {
    const startedAt = this.clock.monotonic();
    const running = this.read(queue, access)
      .then((counts) => {
        const at = this.clock.monotonic();
        if (this.known.size >= MOST_KNOWN) this.known.clear();
        this.known.set(key, { counts, at, costMs: at - startedAt });
        return counts;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }

  private async read({ id, where, due }: OwnQueue, access: SearchAccess): Promise<QueueCounts> {
    const parameters = new Parameters();
    const context = searchContext(access, this.clock, this.sealer);
    const condition = conditionSql(within(storedCondition(where), access.sellers), context, parameters);
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
