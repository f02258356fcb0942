import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { Catalogue } from '#discovery/catalogue';
import { SHOW_JOB_KINDS, type ShowJobKind, type JobKind } from '../job.contract.js';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import type { JobRow } from '../job.js';
import { CLOSE_SALES, LOCK_SHOW_SALES } from './job-statements.js';

type BegunRun = Pick<JobRow, 'id' | 'kind' | 'arguments'> & Readonly<{ showId: string }>;

export const isShowKind = (kind: JobKind): kind is ShowJobKind => SHOW_JOB_KINDS.some((one) => one === kind);

/** What the runs of a show do to the show itself, in the transaction in which they begin. */
@Injectable()
export class ShowRuns {
  constructor(
    private readonly catalogue: Catalogue,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async begin(client: ClientBase, { id, kind, showId, arguments: given }: BegunRun): Promise<void> {
    const { datetime_local: start, venue_id: venueId } = given as { datetime_local?: string | null; venue_id?: number };
    if (kind === 'cancel_event') {
      await client.query(LOCK_SHOW_SALES);
      await client.query(CLOSE_SALES, [showId, id, this.clock.iso()]);
    } else if (kind === 'postpone_event') {
      await this.catalogue.changeEvent(client, showId, { start: start ?? null });
    } else if (kind === 'move_event' && venueId !== undefined) {
      await this.catalogue.changeEvent(client, showId, { ...(start != null && { start }), venueId });
    }
  }
}
