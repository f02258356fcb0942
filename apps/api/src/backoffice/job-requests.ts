import { Injectable } from '@nestjs/common';
import { Catalogue } from '#catalogue/catalogue';
import { catalogueIdOf } from '#catalogue/catalogue-id';
import type { JobPreview, NewJob, OrderJobKind } from '#contracts/backoffice/job';
import { type JobRow, withoutNote } from '#orders/jobs/job';
import { JobPreviews } from '#orders/jobs/job-preview';
import { MOST_ORDERS, type Selection } from '#orders/jobs/job-selection';
import { Jobs } from '#orders/jobs/jobs';
import { OrderRules } from '#orders/commands/order-changes';
import { asksForBuyer } from '#orders/search/search-sources';
import type { Caller } from '#people/caller';
import { Operators } from '#people/operators';
import { HttpError } from '../http/http-error.js';
import { checkAssignee } from './assignee.js';

type NewOrderJob = Extract<NewJob, { kind: OrderJobKind }>;

/** Checks what a caller wants of a job before it begins. */
@Injectable()
export class JobRequests {
  constructor(
    private readonly jobs: Jobs,
    private readonly previews: JobPreviews,
    private readonly operators: Operators,
    private readonly rules: OrderRules,
    private readonly catalogue: Catalogue,
  ) {}

  async preview(wanted: NewOrderJob, caller: Caller): Promise<JobPreview> {
    const orders = await this.checked(wanted, caller);
    return orTooMany(await this.previews.of({ kind: wanted.kind, arguments: wanted.arguments, orders }));
  }

  /** What approving a job would do now. Undefined if there is no such job. */
  async previewOf(id: string): Promise<JobPreview | undefined> {
    const job = await this.jobs.find(id);
    if (!job) return undefined;
    if (job.state !== 'waiting_for_approval') throw HttpError.with(40902, 'the job does not wait for approval');
    return orTooMany(await this.previews.ofWaiting(job));
  }

  /** What taking it back would do now. Undefined if there is no such job. */
  async previewUndo(id: string): Promise<JobPreview | undefined> {
    const job = await this.jobs.find(id);
    return job && (await this.previews.ofUndo(job));
  }

  async begin(wanted: NewOrderJob, caller: Caller): Promise<JobRow> {
    const orders = await this.checked(wanted, caller);
    const { note, others } = withoutNote(wanted.arguments);
    const job = { kind: wanted.kind, arguments: others, note, orders, requestedBy: caller.actor };
    return orTooMany(await this.jobs.begin({ ...job, shownSelection: shownSelection(wanted) }));
  }

  /** Undefined if there is no such job. The caller must be another operator than the one who began it. */
  async approve(id: string, caller: Caller): Promise<JobRow | undefined> {
    const job = await this.jobs.find(id);
    if (!job) return undefined;
    if (caller.kind !== 'operator') throw HttpError.with(40300, 'an operator must approve it');
    if (caller.actor === job.requested_by) throw HttpError.with(40300, 'another operator must approve it');
    // The venue may have been removed since.
    if (job.kind === 'move_event') await this.checkMove(job.selection.event_id, job.arguments['venue_id'] as number);
    return await this.jobs.approve(id, caller.actor);
  }

  private async checked(wanted: NewOrderJob, caller: Caller): Promise<Selection> {
    if (wanted.kind === 'assign') {
      await checkAssignee(this.operators, wanted.arguments.operator_id, 'arguments.operator_id');
    }
    if (wanted.kind === 'change_status' && !this.rules.catalogue.entry(wanted.arguments.status_code)) {
      throw HttpError.with(42201, 'arguments.status_code is not in the status catalogue');
    }
    if (wanted.kind === 'move_event') await this.checkMove(wanted.event_id, wanted.arguments.venue_id);
    const selection = selectionOf(wanted);
    if ('where' in selection && asksForBuyer(selection.where) && !caller.permissions.includes('orders:act')) {
      throw HttpError.with(40300, 'orders:act');
    }
    return selection;
  }

  private async checkMove(eventId: string | undefined, venueId: number): Promise<void> {
    const number = catalogueIdOf(eventId ?? '');
    if (number === undefined || (await this.catalogue.find('events', number)) === undefined) {
      throw HttpError.with(42201, 'event_id is not in the catalogue');
    }
    if ((await this.catalogue.find('venues', venueId)) === undefined) {
      throw HttpError.with(42201, 'arguments.venue_id is not in the catalogue');
    }
  }
}

/** The schema has checked that there is exactly one. */
function selectionOf(wanted: NewOrderJob): Selection {
  if ('where' in wanted && wanted.where !== undefined) return { where: wanted.where };
  if ('ids' in wanted && wanted.ids !== undefined) return { ids: wanted.ids };
  return { event_id: wanted.event_id ?? '' };
}

/** A condition that names a buyer is not kept. */
function shownSelection(wanted: NewOrderJob): JobRow['selection'] {
  const selection = selectionOf(wanted);
  if ('ids' in selection) return { ids: selection.ids.length };
  return 'where' in selection && asksForBuyer(selection.where) ? { where: null } : selection;
}

function orTooMany<T>(result: T | undefined): T {
  if (result !== undefined) return result;
  throw HttpError.with(40001, `where: a job can have at most ${MOST_ORDERS} orders; choose fewer`);
}
