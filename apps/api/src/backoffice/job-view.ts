import { Injectable } from '@nestjs/common';
import type { Job } from '#contracts/backoffice/job';
import { Clock } from '#runtime/clock';
import type { JobRow } from '#orders/jobs/job';
import { JobUndo } from '#orders/jobs/job-undo';
import { JobLinks } from '#orders/transfer/job-links';
import { type JobFile, TransferJobs } from '#orders/transfer/transfer-jobs';
import { type Caller, readsPersonalData } from '#people/caller';
import { OperatorNames } from '#people/operator-names';

// The pace of the first moments is too uncertain.
const KNOWN_AFTER_MS = 2_000;

/** Jobs as answers show them. */
@Injectable()
export class JobView {
  constructor(
    private readonly names: OperatorNames,
    private readonly clock: Clock,
    private readonly transfers: TransferJobs,
    private readonly links: JobLinks,
    private readonly undo: JobUndo,
  ) {}

  /** @param caller who gets a link to a file in clear, if permitted */
  async shown(job: JobRow, caller?: Caller): Promise<Job> {
    const [shown] = await this.allShown([job], caller);
    if (!shown) throw new Error('A job has a view.');
    return shown;
  }

  async allShown(jobs: readonly JobRow[], caller?: Caller): Promise<Job[]> {
    const actors = jobs.flatMap(({ requested_by: began, approved_by: approved }) => [
      began,
      ...(approved ? [approved] : []),
    ]);
    const [names, files, undoable] = await Promise.all([
      this.names.of(actors),
      this.filesOf(jobs),
      this.undo.possible(jobs),
    ]);
    return jobs.map(({ started_at: startedAt, ...job }) => ({
      ...job,
      requested_by_name: names.get(job.requested_by) ?? null,
      approved_by_name: names.get(job.approved_by ?? '') ?? null,
      requested_at: job.requested_at.toISOString(),
      finished_at: job.finished_at?.toISOString() ?? null,
      file: this.fileView(files.get(job.id), caller),
      can_undo: undoable.has(job.id),
      seconds_left: job.state === 'running' ? this.secondsLeft(job, startedAt) : null,
    }));
  }

  private async filesOf(jobs: readonly JobRow[]): Promise<ReadonlyMap<string, JobFile>> {
    const exports = jobs.filter(({ kind, state }) => kind === 'export_orders' && state === 'done').map(({ id }) => id);
    return exports.length === 0 ? new Map() : await this.transfers.filesOf(exports);
  }

  private fileView(file: JobFile | undefined, caller: Caller | undefined): Job['file'] {
    if (!file || (file.in_clear && (!caller || !readsPersonalData(caller)))) return null;
    const { name, type, bytes, job_id: id } = file;
    return { name, type, bytes, ...this.links.make(id) };
  }

  private secondsLeft({ total, done, failed }: Pick<JobRow, 'total' | 'done' | 'failed'>, startedAt: Date | null) {
    const elapsedMs = startedAt ? this.clock.now() - startedAt.getTime() : 0;
    const ready = done + failed;
    if (elapsedMs < KNOWN_AFTER_MS || ready === 0) return null;
    return Math.round((elapsedMs * (total - ready)) / ready / 1_000);
  }
}
