import { Injectable } from '@nestjs/common';
import type { Job } from '../job.contract.js';
import { Clock } from '#base/clock';
import type { JobRow } from '../job.js';
import { JobUndo } from './job-undo.js';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { JobApprovers } from './job-approvers.js';
import { JobFileLinks } from './job-file-links.js';

// The pace of the first moments is too uncertain.
const KNOWN_AFTER_MS = 2_000;

/** Jobs as answers show them. */
@Injectable()
export class JobView {
  constructor(
    private readonly names: OperatorNames,
    private readonly clock: Clock,
    private readonly files: JobFileLinks,
    private readonly undo: JobUndo,
    private readonly approvers: JobApprovers,
  ) {}

  async shown(job: JobRow, caller: Caller): Promise<Job> {
    const [shown] = await this.allShown([job], caller);
    if (!shown) throw new Error('A job has a view.');
    return shown;
  }

  async allShown(jobs: readonly JobRow[], caller: Caller): Promise<Job[]> {
    const actors = jobs.flatMap(({ requested_by: began, approved_by: approved }) => [
      began,
      ...(approved ? [approved] : []),
    ]);
    const waiting = jobs.filter(({ state }) => state === 'waiting_for_approval');
    const [names, files, undoable, whyNot] = await Promise.all([
      this.names.of(actors),
      this.files.of(jobs, caller),
      this.undo.possible(jobs),
      this.approvers.whyNot(waiting, caller),
    ]);
    return jobs.map(({ started_at: startedAt, ...job }) => ({
      ...job,
      requested_by_name: names.get(job.requested_by) ?? null,
      approved_by_name: names.get(job.approved_by ?? '') ?? null,
      can_approve: job.state === 'waiting_for_approval' && !whyNot.has(job.id),
      why_not: whyNot.get(job.id) ?? null,
      requested_at: job.requested_at.toISOString(),
      finished_at: job.finished_at?.toISOString() ?? null,
      file: files.get(job.id) ?? null,
      can_undo: undoable.has(job.id),
      seconds_left: job.state === 'running' ? this.secondsLeft(job, startedAt) : null,
    }));
  }

  private secondsLeft({ total, done, failed }: Pick<JobRow, 'total' | 'done' | 'failed'>, startedAt: Date | null) {
    const elapsedMs = startedAt ? this.clock.now() - startedAt.getTime() : 0;
    const ready = done + failed;
    if (elapsedMs < KNOWN_AFTER_MS || ready === 0) return null;
    return Math.round((elapsedMs * (total - ready)) / ready / 1_000);
  }
}
