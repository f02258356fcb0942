import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { isOrderTransferKind, type JobKind, type JobOutcome, type JobResult, type JobState } from '../job.contract.js';
import { afterWrite } from '#database/database-errors';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import type { Clock } from '#base/clock';
import { domainError } from '#domain/domain-error';
import { Ids } from '#base/ids';
import { isShowKind } from './show-runs.js';
import { JOB_COLUMNS, type JobRow } from '../job.js';
import { JobNotes } from './job-notes.js';
import { MOST_ORDERS, type Selection } from './job-selection.js';
import { JobStart } from './job-start.js';
import {
  ALLOW_SALES,
  APPROVE_ORDER_TRANSFER,
  CANCEL,
  INSERT_CHANGED_ITEMS,
  INSERT_JOB,
  LOCK_SHOW_SALES,
} from './job-statements.js';

export type NewJobRow = Readonly<{
  kind: JobKind;
  arguments: Readonly<Record<string, unknown>>;
  note: string | undefined;
  /** As the view of the job shows it. */
  shownSelection: JobRow['selection'];
  orders: Selection;
  requestedBy: string;
}>;

export type JobPage = Readonly<{
  state?: JobState | undefined;
  showId?: string | undefined;
  limit: number;
  before?: string | undefined;
}>;

export type ResultPage = Readonly<{ outcome?: JobOutcome | undefined; limit: number; after: number }>;

/**
 * The jobs, which workers do. If there is no such job, the methods return undefined. What pauses, resumes or cancels one that has
 * ended throws a DomainError.
 */
@Injectable()
export class Jobs {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly notes: JobNotes,
    private readonly work: JobStart,
  ) {}

  /** Fixes the orders of the job now: later ones are not part of it. Undefined if there are more than `MOST_ORDERS`. */
  async begin(job: NewJobRow): Promise<JobRow | undefined> {
    const id = this.ids.next('job');
    const note = this.notes.sealed(id, job.note);
    const now = this.clock.iso();
    const started = await inTransaction(this.pool, async (client) => {
      const total = await this.work.count(client, job.orders);
      if (total > MOST_ORDERS) return false;
      const values = [
        id,
        job.kind,
        JSON.stringify(job.arguments),
        note,
        JSON.stringify(job.shownSelection),
        job.requestedBy,
      ];
      await client.query(INSERT_JOB, [...values, now, null]);
      const { kind, arguments: given, orders } = job;
      await this.work.begin(client, { id, kind, arguments: given, orders }, { total, requestedBy: job.requestedBy });
      return true;
    });
    if (!started) return undefined;
    return await afterWrite(() => this.known(id));
  }

  /**
   * Begins a job that takes back what this one did, where the rules allow it and nobody has changed the order since. `not_possible`: it has
   * not ended, or has changed nothing that can be taken back.
   */
  async undo(id: string, requestedBy: string): Promise<JobRow | 'not_possible' | undefined> {
    const job = await this.find(id);
    if (!job) return undefined;
    if (job.finished_at === null || job.undoes !== null) return 'not_possible';
    const undoId = this.ids.next('job');
    const now = this.clock.iso();
    const orders = await inTransaction(this.pool, async (client) => {
      const values = [
        undoId,
        job.kind,
        JSON.stringify(job.arguments),
        null,
        JSON.stringify(job.selection),
        requestedBy,
      ];
      await client.query(INSERT_JOB, [...values, now, id]);
      const { rowCount } = await client.query(INSERT_CHANGED_ITEMS, [id, undoId]);
      if (rowCount === null || rowCount === 0) {
        await client.query('delete from jobs where id = $1', [undoId]);
        return 0;
      }
      const undoing = { id: undoId, kind: job.kind, arguments: job.arguments };
      await this.work.begin(client, undoing, { total: rowCount, requestedBy });
      return rowCount;
    });
    return orders === 0 ? 'not_possible' : await afterWrite(() => this.known(undoId));
  }

  /** Newest first. */
  async list({ state, showId, limit, before }: JobPage): Promise<readonly JobRow[]> {
    const { rows } = await this.pool.query<JobRow>(
      `select ${JOB_COLUMNS} from jobs where ($1::text is null or state = $1) and ($2::text is null or id < $2)
         and ($4::text is null or selection ->> 'event_id' = $4)
       order by id desc limit $3`,
      [state ?? null, before ?? null, limit, showId ?? null],
    );
    return rows;
  }

  async find(id: string): Promise<JobRow | undefined> {
    const { rows } = await this.pool.query<JobRow>(`select ${JOB_COLUMNS} from jobs where id = $1`, [id]);
    return rows[0];
  }

  /** What became of the orders until now, in the order of the work. */
  async results(
    id: string,
    { outcome, limit, after }: ResultPage,
  ): Promise<readonly (JobResult & { number: number })[]> {
    const { rows } = await this.pool.query<JobResult & { number: number; reason: string | null }>(
      `select number, order_id, outcome, reason from job_items
       where job_id = $1 and number > $2 and outcome is not null and ($3::text is null or outcome = $3)
       order by number limit $4`,
      [id, after, outcome ?? null, limit],
    );
    return rows.map(({ reason, ...result }) => (reason === null ? result : { ...result, reason }));
  }

  /** The orders that a worker has just locked are still changed. */
  async pause(id: string): Promise<JobRow | undefined> {
    return await this.change(id, `state = 'paused', reason = null`, `(state = 'running' or reason is not null)`);
  }

  async resume(id: string): Promise<JobRow | undefined> {
    return await this.change(id, `state = 'running', reason = null`, `state = 'paused'`);
  }

  /** Orders that were not changed until now stay as they are. */
  async cancel(id: string): Promise<JobRow | undefined> {
    const wasOpen = await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<Pick<JobRow, 'kind' | 'undoes'>>(CANCEL, [id, this.clock.iso()]);
      if (rows[0]?.kind === 'cancel_event' && rows[0].undoes === null) {
        await client.query(LOCK_SHOW_SALES);
        await client.query(ALLOW_SALES, [id]);
      }
      return rows.length > 0;
    });
    const job = await afterWrite(() => this.find(id));
    return wasOpen ? job : unlessEnded(job);
  }

  /** The orders of a show are chosen again, because others were placed since. @throws DomainError while an import is uploaded */
  async approve(id: string, approvedBy: string): Promise<JobRow | undefined> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<JobRow>(
        `select ${JOB_COLUMNS} from jobs where id = $1 and state = 'waiting_for_approval' for update`,
        [id],
      );
      const [job] = rows;
      if (!job) return;
      if (isOrderTransferKind(job.kind)) return await this.beginOrderTransfer(client, id, approvedBy);
      const { event_id } = job.selection;
      const isShowRun = isShowKind(job.kind) && event_id !== undefined && job.undoes === null;
      if (isShowRun) await client.query('delete from job_items where job_id = $1', [id]);
      await this.work.begin(client, { ...job, ...(isShowRun && { orders: { event_id } }) }, { approvedBy });
    });
    return await afterWrite(() => this.find(id));
  }

  private async beginOrderTransfer(client: ClientBase, id: string, approvedBy: string): Promise<void> {
    const { rowCount } = await client.query(APPROVE_ORDER_TRANSFER, [id, this.clock.iso(), approvedBy]);
    if (rowCount !== 1) throw domainError('CONFLICT', 'The upload has not ended.');
  }

  private async change(id: string, set: string, when: string): Promise<JobRow | undefined> {
    const { rowCount } = await this.pool.query(
      `update jobs set ${set} where id = $1 and ${when} and $2::text is not null`,
      [id, this.clock.iso()],
    );
    const job = await afterWrite(() => this.find(id));
    return rowCount === 0 ? unlessEnded(job) : job;
  }

  private async known(id: string): Promise<JobRow> {
    const job = await this.find(id);
    if (!job) throw new Error('The job was removed while it was begun.');
    return job;
  }
}

function unlessEnded(job: JobRow | undefined): JobRow | undefined {
  if (job && job.finished_at !== null) throw domainError('CONFLICT', 'The job has ended.');
  return job;
}
