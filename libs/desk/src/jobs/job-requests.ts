import { Injectable } from '@nestjs/common';
import type { JobPreview } from '../job.contract.js';
import { type JobRow, withoutNote } from '../job.js';
import { JobApproval } from './job-approval.js';
import { type JobEffects, JobPreviews } from './job-preview.js';
import { MOST_ORDERS } from './job-selection.js';
import { Jobs } from './jobs.js';
import type { Caller } from '#accounts/caller';
import { HttpError } from '#web/http-error';
import { JobApprovers } from './job-approvers.js';
import { JobChecks, type NewOrderJob, shownSelection } from './job-checks.js';

/** What callers want of jobs on orders. */
@Injectable()
export class JobRequests {
  constructor(
    private readonly jobs: Jobs,
    private readonly previews: JobPreviews,
    private readonly checks: JobChecks,
    private readonly approval: JobApproval,
    private readonly approvers: JobApprovers,
  ) {}

  async preview(wanted: NewOrderJob, caller: Caller): Promise<JobPreview> {
    const orders = await this.checks.check(wanted, caller);
    const effects = await this.previews.of({ kind: wanted.kind, arguments: wanted.arguments, orders });
    return await this.judged(orTooMany(effects), caller);
  }

  /** What approving a job on orders would do now. */
  async previewOf(job: JobRow): Promise<JobPreview> {
    return { ...orTooMany(await this.previews.ofWaiting(job)), needs_approval: true };
  }

  /** What taking it back would do now. Undefined if there is no such job, or none that can be taken back. */
  async previewUndo(id: string, caller: Caller): Promise<JobPreview | undefined> {
    const job = await this.jobs.find(id);
    const effects = job && (await this.previews.ofUndo(job));
    return effects && (await this.judged(effects, caller));
  }

  async begin(wanted: NewOrderJob, caller: Caller): Promise<JobRow> {
    const orders = await this.checks.check(wanted, caller);
    const { note, others } = withoutNote(wanted.arguments);
    const job = { kind: wanted.kind, arguments: others, note, orders, requestedBy: caller.actor };
    return orTooMany(await this.jobs.begin({ ...job, shownSelection: shownSelection(wanted) }));
  }

  /** Undefined if there is no such job. The caller must be another person than the one who began it. */
  async approve(id: string, caller: Caller): Promise<JobRow | undefined> {
    const job = await this.jobs.find(id);
    if (!job) return undefined;
    const whyNot = (await this.approvers.whyNot([job], caller)).get(id);
    if (whyNot !== undefined) throw HttpError.with(40300, whyNot);
    await this.checks.checkAgain(job);
    return await this.jobs.approve(id, caller.actor);
  }

  private async judged(effects: JobEffects, { actor }: Caller): Promise<JobPreview> {
    const asked = { orders: effects.total, requestedBy: actor };
    return { ...effects, needs_approval: await this.approval.isNeeded(asked) };
  }
}

function orTooMany<T>(result: T | undefined): T {
  if (result !== undefined) return result;
  throw HttpError.with(40001, `where: a job can have at most ${MOST_ORDERS} orders; choose fewer`);
}
