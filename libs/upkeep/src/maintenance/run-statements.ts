import type { MaintenanceRun } from '../maintenance.contract.js';
import { isLockHeld } from '#database/advisory-lock';
import { goesOn } from '../verification-checkpoints.js';

/** The process that does a run holds this lock, so a run is never `running` for longer than somebody works on it. */
export const MAINTENANCE_LOCK = 'maintenance';

export const INTERRUPTED = 'The process that worked on it ended before it was done. Start it again.';

/** Kept when a run ends; older ones are deleted. */
const KEPT_RUNS = 500;

/** What a run has found, as it is stored. */
export type RunResult = Readonly<{
  rebuilt?: MaintenanceRun['rebuilt'];
  checked?: MaintenanceRun['checked'];
  found?: MaintenanceRun['found'];
  findings?: MaintenanceRun['findings'];
}>;

/** A row of `SELECT_RUNS`. */
export type RunRow = Readonly<{
  id: string;
  kind: MaintenanceRun['kind'];
  projection: MaintenanceRun['projection'];
  state: MaintenanceRun['state'];
  requested_by: string;
  requested_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  cancelled_by: string | null;
  step: string | null;
  done: number;
  total: number;
  result: RunResult | null;
  error: string | null;
  /** Since its start, by the database's clock; null before it. */
  elapsed_ms: number | null;
}>;

const HELD = isLockHeld(MAINTENANCE_LOCK);
const GOES_ON = `cancelled_by is null and ${goesOn('maintenance_runs.id')}`;
const IS_INTERRUPTED = `state = 'running' and not ${HELD}`;

/** A run waits, or was interrupted and goes on. */
export const IS_WAITING = `(state = 'requested' or ${IS_INTERRUPTED} and ${GOES_ON})`;

/** The run waits, or somebody works on it. */
export const IS_OPEN = `(${IS_WAITING} or state = 'running' and ${HELD})`;

/** Rows of `RunRow`. An interrupted run shows as failed before anybody has noted that, or as waiting if it goes on. */
export const SELECT_RUNS = `
  select id, kind, projection, requested_by, requested_at, started_at, cancelled_by, step, done, total, result,
    case when ${IS_WAITING} then 'requested' when ${IS_INTERRUPTED} then 'failed' else state end as state,
    case when ${IS_INTERRUPTED} and not (${GOES_ON}) then '${INTERRUPTED}' else error end as error,
    case when ${IS_INTERRUPTED} and not (${GOES_ON}) then reported_at else finished_at end as finished_at,
    (extract(epoch from clock_timestamp() - started_at) * 1000)::float8 as elapsed_ms
  from maintenance_runs`;

/** Only with the lock: then nobody works on these. A verification goes on after its last part. $1 why the others failed. */
export const CLOSE_INTERRUPTED = `
  update maintenance_runs set
    state = case when ${GOES_ON} then 'requested' when cancelled_by is null then 'failed' else 'cancelled' end,
    error = case when not (${GOES_ON}) then $1 end,
    finished_at = case when not (${GOES_ON}) then reported_at end
  where state = 'running'`;

/** Only with the lock. $1 the kind, $2 the projection or null for any. */
export const CLAIM = `
  update maintenance_runs set state = 'running', started_at = coalesce(started_at, clock_timestamp()), reported_at = clock_timestamp()
  where state = 'requested' and kind = $1 and ($2::text is null or projection = $2)
  returning id, kind, projection`;

/** Only with the lock. $1 id, $2 kind, $3 projection or null, $4 who does it. */
export const BEGIN = `
  insert into maintenance_runs (id, kind, projection, state, requested_by, requested_at, started_at, reported_at)
  values ($1, $2, $3, 'running', $4, clock_timestamp(), clock_timestamp(), clock_timestamp())
  returning id, kind, projection`;

/** $1 id, $2 step, $3 done, $4 total. Returns a row while the run is to go on. */
export const REPORT = `
  update maintenance_runs set step = $2, done = $3, total = $4, reported_at = clock_timestamp()
  where id = $1 and state = 'running' returning cancelled_by`;

/** $1 id, $2 state, $3 the result as JSON or null, $4 what went wrong or null. */
export const FINISH = `
  update maintenance_runs set state = $2, result = $3, error = $4, finished_at = clock_timestamp(),
    done = case $2 when 'done' then total else done end
  where id = $1 and state = 'running'`;

/** A run that was recorded when it was over. $1 id, $2 kind, $3 who did it, $4 its duration in ms, $5 the result as JSON. */
export const RECORD = `
  insert into maintenance_runs (id, kind, state, requested_by, requested_at, started_at, reported_at, finished_at, result)
  select $1, $2, 'done', $3, began, began, now(), now(), $5
  from (select now() - $4::float8 * interval '1 ms' as began) as run`;

export const PRUNE = `
  with pruned as (
    delete from verification_checkpoints c using maintenance_runs r where c.id = r.id and r.state not in ('requested', 'running'))
  delete from maintenance_runs where state not in ('requested', 'running')
    and id < (select id from maintenance_runs order by id desc offset ${KEPT_RUNS} limit 1)`;
