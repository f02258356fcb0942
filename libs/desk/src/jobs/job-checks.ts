import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { GIVEN_BACK } from '#domain/choices';
import { Catalogue } from '#discovery/catalogue';
import { catalogueIdOf } from '#discovery/catalogue-id';
import type { NewJob, OrderJobKind } from '../job.contract.js';
import { OrderRules } from '#orders/order-changes';
import { asksBuyers, choiceUntil, type JobRow } from '../job.js';
import type { Selection } from './job-selection.js';
import { asksForBuyer } from '#orders/search-sources';
import type { Caller } from '#accounts/caller';
import { Operators } from '#accounts/operators';
import { HttpError } from '#web/http-error';
import { checkAssignee } from '#orders/assignee';

export type NewOrderJob = Extract<NewJob, { kind: OrderJobKind }>;

/** Checks what a caller wants of a job on orders against what is there. */
@Injectable()
export class JobChecks {
  constructor(
    private readonly operators: Operators,
    private readonly rules: OrderRules,
    private readonly showCatalogue: Catalogue,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** @returns which orders it is for */
  async check(wanted: NewOrderJob, caller: Caller): Promise<Selection> {
    if (wanted.kind === 'assign') {
      await checkAssignee(this.operators, wanted.arguments.operator_id, 'arguments.operator_id');
    }
    if (wanted.kind === 'change_status' && !this.rules.catalogue.entry(wanted.arguments.status_code)) {
      throw HttpError.with(42201, 'arguments.status_code is not in the status catalogue');
    }
    if (wanted.kind === 'refund' && !caller.permissions.includes('money:act')) throw HttpError.with(40300, 'money:act');
    if (wanted.kind === 'postpone_event') this.checkChoice(wanted.kind, wanted.arguments);
    if (wanted.kind === 'move_event') await this.checkMove(wanted.event_id, wanted.arguments.venue_id);
    const selection = selectionOf(wanted);
    if ('where' in selection && asksForBuyer(selection.where) && !caller.permissions.includes('orders:act')) {
      throw HttpError.with(40300, 'orders:act');
    }
    return selection;
  }

  /** The venue of a job that waits may have been removed, and the time to choose may be over. */
  async checkAgain({ kind, selection, arguments: given }: JobRow): Promise<void> {
    this.checkChoice(kind, given);
    if (kind === 'move_event') await this.checkMove(selection.event_id, given['venue_id'] as number);
  }

  private checkChoice(kind: JobRow['kind'], given: JobRow['arguments']): void {
    if (!asksBuyers(kind, given)) return;
    const now = this.clock.iso();
    if ((choiceUntil(given, now) ?? now) <= now) throw HttpError.with(40001, 'arguments.choice_until is in the past');
    if (!this.rules.catalogue.entry(GIVEN_BACK)) {
      throw HttpError.with(42201, `the status catalogue has no ${GIVEN_BACK}, which tickets that are given back get`);
    }
  }

  private async checkMove(showId: string | undefined, venueId: number): Promise<void> {
    const number = catalogueIdOf(showId ?? '');
    if (number === undefined || (await this.showCatalogue.find('events', number)) === undefined) {
      throw HttpError.with(42201, 'event_id is not in the catalogue');
    }
    if ((await this.showCatalogue.find('venues', venueId)) === undefined) {
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
export function shownSelection(wanted: NewOrderJob): JobRow['selection'] {
  const selection = selectionOf(wanted);
  if ('ids' in selection) return { ids: selection.ids.length };
  return 'where' in selection && asksForBuyer(selection.where) ? { where: null } : selection;
}
