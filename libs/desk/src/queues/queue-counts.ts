import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { storedCondition } from '#orders/order-condition.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { Parameters } from '#orders/condition-sql';
import { conditionWithin, IS_AWAKE, type SearchAccess, searchContext } from '#orders/order-finder';
import { CLOCK_BEGAN, isEscalated } from '#orders/queue-clock';
import { isKeptFor } from '#accounts/seen-orders';
import { SharedCounts } from './shared-counts.js';
import { PLACE_QUEUES, type BuiltInQueue, type CustomQueue, isPlaceQueue, type WorkQueue } from './work-queue.js';

/** `next_due_at`: the due time of the first order, null if there is none. `snoozed` orders are not part of `count`. */
export type CountsOfQueue = Readonly<{
  count: number;
  overdue: number;
  next_due_at: Date | null;
  snoozed: number;
  escalated: number;
}>;

type BuiltInCounts = ReadonlyMap<BuiltInQueue, CountsOfQueue>;

// Once the counts are known, readers who keep asking wait for none. With the half second of the worker, they are less than a second behind.
const BUILT_IN_PACE = { freshMs: 150, share: 0, slowMs: 0 };

// A condition that is slow to count is counted less often, so that it cannot load the database.
const CUSTOM_PACE = { freshMs: 400, share: 10, slowMs: 40 };

/** Counts the orders of queues: the built-in ones from what the worker has counted, the others by their condition. */
@Injectable()
export class QueueCounts {
  private readonly builtIn: SharedCounts<BuiltInCounts>;
  private readonly custom: SharedCounts<CountsOfQueue>;

  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {
    this.builtIn = new SharedCounts(clock, BUILT_IN_PACE);
    this.custom = new SharedCounts(clock, CUSTOM_PACE);
  }

  /** Those of built-in queues are at most 300 ms old, plus the time to read them. */
  async of(queue: WorkQueue, access: SearchAccess): Promise<CountsOfQueue> {
    const sellers = access.sellers ?? null;
    if (isPlaceQueue(queue)) {
      const counts = await this.builtIn.of(JSON.stringify(sellers), () => this.readBuiltIn(sellers));
      return counts.get(queue.id) ?? NONE;
    }
    const key = JSON.stringify([queue.id, queue.where, queue.due, sellers]);
    return await this.custom.of(key, () => this.readCustom(queue, access));
  }

  /** The next counts of the built-in queues include what has been changed until now. */
  forget(): void {
    this.builtIn.forget();
  }

  private async readBuiltIn(sellers: readonly string[] | null): Promise<BuiltInCounts> {
    const { rows } = await this.pool.query<CountsOfQueue & { id: BuiltInQueue }>({
      name: 'queue-counts',
      text: COUNTS,
      values: [sellers, PLACE_QUEUES.map(({ id }) => id)],
    });
    return new Map(rows.map(({ id, ...counts }) => [id, counts]));
  }

  private async readCustom({ id, where, due }: CustomQueue, access: SearchAccess): Promise<CountsOfQueue> {
    const parameters = new Parameters();
    const context = searchContext(access, this.clock, this.sealer);
    const condition = conditionWithin(storedCondition(where), access, context, parameters);
    const minutes = parameters.add(due.minutes);
    const { rows } = await this.pool.query<CountsOfQueue>(
      `select count(*) filter (where is_awake)::int as count,
        count(*) filter (where is_awake and due_at <= ${parameters.add(context.now)}::timestamptz)::int as overdue,
        min(due_at) filter (where is_awake) as next_due_at, count(*) filter (where not is_awake)::int as snoozed,
        count(*) filter (where is_escalated)::int as escalated
      from (select ${CLOCK_BEGAN[due.field]} + make_interval(mins => ${minutes}) as due_at, ${IS_AWAKE} as is_awake,
          ${isEscalated(parameters.add(id), due.field)} as is_escalated
        from orders o where ${condition}) as found`,
      parameters.values,
    );
    return rows[0] ?? NONE;
  }
}

const NONE: CountsOfQueue = { count: 0, overdue: 0, next_due_at: null, snoozed: 0, escalated: 0 };

const COUNTS = `
  select queue.id, coalesce(counted.count, 0)::int as count,
    case queue.id when 'overdue' then coalesce(counted.count, 0) else 0 end::int as overdue,
    nullif(first.due_at, 'infinity') as next_due_at,
    (select count(*)::int from work_items w where w.snoozed_until is not null and w.queue = queue.id
      and ${isKeptFor('$1', 'w')}) as snoozed,
    (select count(*)::int from work_items w where w.escalated_at is not null and w.place = queue.id
      and ${isKeptFor('$1', 'w')}) as escalated
  from unnest($2::text[]) as queue (id)
  left join lateral (select sum(c.count) as count from work_counts c
    where c.place = queue.id and ${isKeptFor('$1', 'c')}) as counted on true
  cross join lateral (select case when $1::text[] is null
    then (select w.due_at from work_items w where w.place = queue.id order by w.due_at limit 1)
    else (select min(own.due_at) from unnest($1::text[]) as seller (name) cross join lateral (
      select w.due_at from work_items w where w.seller = seller.name and w.place = queue.id order by w.due_at limit 1) as own)
    end as due_at) as first`;
