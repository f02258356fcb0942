import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Settings } from '#base/settings';
import { ORDER_JOB_KINDS } from '../job.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { Persons } from '#accounts/persons';
import { countTogether } from '#accounts/same-person';
import type { Clock } from '#base/clock';

const COUNTED_FOR_MS = 3_600_000;

/** A job that changes orders. */
export type AskedJob = Readonly<{ orders: number; requestedBy: string }>;

/** Says which jobs on orders wait for a second person. */
@Injectable()
export class JobApproval {
  constructor(
    private readonly pool: Pool,
    private readonly persons: Persons,
    private readonly settings: Settings,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** In the transaction in which the job begins. Until it has ended no other job is decided on, so that two halves at once do not both begin. */
  async decide(client: ClientBase, job: AskedJob): Promise<boolean> {
    await client.query(LOCK_DECISIONS);
    return await this.isNeeded(job, client);
  }

  /** What one person has begun within the last hour counts together, unless a second one has approved it. */
  async isNeeded({ orders, requestedBy }: AskedJob, connection: Pool | ClientBase = this.pool): Promise<boolean> {
    const { APPROVAL_FROM_ORDERS: from } = this.settings;
    if (orders === 0 || orders >= from) return orders >= from;
    const since = new Date(this.clock.now() - COUNTED_FOR_MS);
    const { rows } = await connection.query<{ actor: string; orders: number }>(BEGUN_ALONE, [since, ORDER_JOB_KINDS]);
    const makers = await this.persons.makersOf([requestedBy, ...rows.map(({ actor }) => actor)], connection);
    const own = rows.filter(({ actor }) => countTogether(requestedBy, actor, makers));
    return own.reduce((sum, row) => sum + row.orders, orders) >= from;
  }
}

const LOCK_DECISIONS = `select pg_advisory_xact_lock(hashtextextended('approval of jobs', 0))`;

/** $1 since when, $2 the kinds. */
const BEGUN_ALONE = `
  select requested_by as actor, sum(case when state = 'cancelled' then done + failed else total end)::int as orders
  from jobs where requested_at > $1 and started_at is not null and approved_by is null and kind = any($2)
  group by requested_by`;
