import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { tellOperators } from '#accounts/inbox';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { ORDER_JOB_KINDS, type OrderJobKind } from '../job.contract.js';
import { DeskBatch, deskChange } from './desk-batch.js';
import { ShowNoteBatch } from './show-note-batch.js';
import { asksBuyers, isNotedChange, type ItemResult, type JobItem, type JobRow } from '../job.js';
import { JobNotes } from './job-notes.js';
import { type ItemOutcome, OrderBatch } from './order-batch.js';
import type { CommandKind, JobCommand } from './order-commands.js';

export type LockedJob = Omit<JobRow, 'choices'> & Readonly<{ kind: OrderJobKind; note: Buffer | null }>;

/** What each kind of job does to its orders. */
@Injectable()
export class OrderJobs {
  constructor(
    private readonly orders: OrderBatch,
    private readonly desk: DeskBatch,
    private readonly showNotes: ShowNoteBatch,
    private readonly notes: JobNotes,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  get kinds(): readonly OrderJobKind[] {
    return ORDER_JOB_KINDS;
  }

  /** Returns the outcomes in the order of the items. If it throws, the transaction must be rolled back. */
  async apply(client: ClientBase, job: LockedJob, items: readonly JobItem[]): Promise<readonly ItemOutcome[]> {
    const { id, kind, arguments: given, requested_by: actor } = job;
    const change = deskChange(kind, given);
    const isUndo = job.undoes !== null;
    if (change && isUndo) return await this.desk.undo(client, items, change);
    if (change) {
      const outcomes = await this.desk.apply(client, items, change);
      if (change.kind === 'assign') await this.tellAssignee(client, change.assignee, { job, items, outcomes });
      return outcomes;
    }
    const note = this.notes.opened(id, job.note);
    const command = { id, actor, note, kind: kind as CommandKind, arguments: given, isUndo };
    if (!isNotedChange(kind)) return await this.orders.apply(client, items, command);
    const noted = await this.showNotes.apply(client, items, { kind, actor, note, arguments: given });
    return asksBuyers(kind, given) ? await this.asked(client, items, { noted, command }) : noted;
  }

  /** The buyers are asked what they want. The outcome of an order whose buyer was asked has its version. */
  private async asked(
    client: ClientBase,
    items: readonly JobItem[],
    { noted, command }: Readonly<{ noted: readonly ItemResult[]; command: JobCommand }>,
  ): Promise<readonly ItemOutcome[]> {
    const asked = await this.orders.apply(client, items, { ...command, note: undefined });
    return noted.map((result, index) => {
      const outcome = asked[index];
      if (outcome === undefined || outcome === 'later' || outcome.version === undefined) return result;
      return { ...result, version: outcome.version };
    });
  }
  /** One notice for all orders of the job. */
  private async tellAssignee(
    client: ClientBase,
    assignee: string | null,
    { job, items, outcomes }: Readonly<{ job: LockedJob; items: readonly JobItem[]; outcomes: readonly ItemOutcome[] }>,
  ): Promise<void> {
    const done = items.filter((_, index) => isDone(outcomes[index]));
    const [first] = done;
    if (assignee === null || !first) return;
    await tellOperators(client, {
      kind: 'assigned',
      to: [assignee],
      orderId: first.order_id,
      orders: done.length,
      cause: `job:${job.id}`,
      actor: job.requested_by,
      at: this.clock.iso(),
    });
  }
}

const isDone = (outcome: ItemOutcome | undefined) => typeof outcome === 'object' && outcome.outcome === 'done';
