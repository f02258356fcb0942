import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { NewMaintenanceRun } from '../maintenance.contract.js';
import { afterWrite } from '#database/database-errors';
import { domainError } from '#domain/domain-error';
import { Ids } from '#base/ids';
import { IS_OPEN, IS_WAITING, type RunRow, SELECT_RUNS } from './run-statements.js';

/** How a run is, as the database sees it now. */
export type RecordedRun = RunRow;

type RunPage = Readonly<{ kind?: RunRow['kind'] | undefined; limit: number; before?: string | undefined }>;

/** The requests for rebuilds and verifications. Other processes do the work: see `MaintenanceRunner`. */
@Injectable()
export class MaintenanceRuns {
  constructor(
    private readonly pool: Pool,
    private readonly ids: Ids,
  ) {}

  /** Undefined if another run waits or is at work, because they use the same tables. */
  async request({ kind, projection }: NewMaintenanceRun, requestedBy: string): Promise<RecordedRun | undefined> {
    const id = this.ids.next('run');
    const { rowCount } = await this.pool.query(REQUEST, [id, kind, projection ?? null, requestedBy]);
    return rowCount === 1 ? await afterWrite(() => this.find(id)) : undefined;
  }

  /** Newest first. `before` is the id of the last run of the page before. */
  async list({ kind, limit, before }: RunPage): Promise<readonly RecordedRun[]> {
    const { rows } = await this.pool.query<RunRow>(LIST, [kind ?? null, before ?? null, limit]);
    return rows;
  }

  /** Undefined if there is no such run. */
  async find(id: string): Promise<RecordedRun | undefined> {
    const { rows } = await this.pool.query<RunRow>(FIND, [id]);
    return rows[0];
  }

  /** A run that nobody has taken is cancelled at once, one at work at its next step. Returns undefined if there is no such run. */
  async cancel(id: string, cancelledBy: string): Promise<RecordedRun | undefined> {
    const { rowCount } = await this.pool.query(CANCEL, [id, cancelledBy]);
    const run = await afterWrite(() => this.find(id));
    if (rowCount === 0 && run && run.finished_at !== null) throw domainError('CONFLICT', 'The run has ended.');
    return run;
  }
}

const REQUEST = `
  insert into maintenance_runs (id, kind, projection, state, requested_by, requested_at)
  select $1, $2, $3, 'requested', $4, clock_timestamp()
  where not exists (select from maintenance_runs where ${IS_OPEN})
  on conflict do nothing`;

const LIST = `
  ${SELECT_RUNS} where ($1::text is null or kind = $1) and ($2::text is null or id < $2) order by id desc limit $3`;

const FIND = `${SELECT_RUNS} where id = $1`;

const CANCEL = `
  update maintenance_runs set cancelled_by = $2,
    state = case when ${IS_WAITING} then 'cancelled' else state end,
    finished_at = case when ${IS_WAITING} then clock_timestamp() end
  where id = $1 and ${IS_OPEN} and cancelled_by is null`;
