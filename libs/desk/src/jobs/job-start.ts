import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { ShowRuns } from './show-runs.js';
import type { JobRow } from '../job.js';
import { JobApproval } from './job-approval.js';
import { JobSelection, type Selection } from './job-selection.js';
import { insertItems, START } from './job-statements.js';

type BegunJob = Pick<JobRow, 'id' | 'kind' | 'arguments'> &
  Readonly<{
    /** Without it, the orders are chosen already. */
    orders?: Selection;
  }>;

/** It may wait for a second person, unless one has approved it. */
type Begin = Readonly<{ total: number; requestedBy: string }> | Readonly<{ approvedBy: string }>;

/** Chooses the orders of a job and lets it begin, in one transaction. */
@Injectable()
export class JobStart {
  constructor(
    private readonly selection: JobSelection,
    private readonly shows: ShowRuns,
    private readonly approval: JobApproval,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async begin(client: ClientBase, job: BegunJob, how: Begin): Promise<void> {
    const isNew = 'total' in how;
    const waits = isNew && (await this.approval.decide(client, { orders: how.total, requestedBy: how.requestedBy }));
    const approvedBy = isNew ? null : how.approvedBy;
    const { orders } = job;
    if (!waits && orders && 'event_id' in orders) await this.shows.begin(client, { ...job, showId: orders.event_id });
    if (orders) {
      const { text, values } = this.selection.query(orders);
      await client.query(insertItems(text, values.length + 1), [...values, job.id]);
    }
    await client.query(START, [job.id, waits, this.clock.iso(), approvedBy]);
  }

  async count(client: ClientBase, orders: Selection): Promise<number> {
    const { text, values } = this.selection.query(orders);
    const { rows } = await client.query<{ total: number }>(
      `select count(*)::int as total from (${text}) as chosen`,
      values,
    );
    return rows[0]?.total ?? 0;
  }
}
