import { STORED_COLUMNS } from '../job.js';

/** A row of table `jobs` with what the work needs. The lock keeps other processes from the same job. $1 id, $2 the kinds. */
export const LOCK_RUNNING = `
  select ${STORED_COLUMNS}, note from jobs where id = $1 and state = 'running' and kind = any($2) for update skip locked`;

/** $1 id, $2 now, $3 how many. */
export const NEXT_ITEMS = `
  select number, order_id, before, version from job_items
  where job_id = $1 and outcome is null and (retry_at is null or retry_at <= $2) order by number limit $3`;

/** $1 id, $2 why. */
export const PAUSE_BY_ITSELF = `update jobs set state = 'paused', reason = $2 where id = $1 and state = 'running'`;

/** $1 why. */
export const GO_ON = `update jobs set state = 'running', reason = null where reason = $1 and state = 'paused'`;

/** $1 id, $2 the results as JSON. */
export const RECORD_RESULTS = `
  with given as (
    select * from json_to_recordset($2) as r (number int, outcome text, reason text, before json, version int)),
  written as (
    update job_items item set outcome = given.outcome, reason = given.reason, before = given.before, version = given.version,
      retry_at = null
    from given where item.job_id = $1 and item.number = given.number and item.outcome is null returning item.outcome, item.version)
  update jobs set done = done + (select count(*) from written where outcome <> 'refused'),
    failed = failed + (select count(*) from written where outcome = 'refused'),
    asked = asked + (select count(*) from written where kind = 'postpone_event' and version is not null)
  where id = $1`;

/** $1 id, $2 the numbers, $3 when they are to be tried again. */
export const TRY_LATER =
  'update job_items set retry_at = $3 where job_id = $1 and number = any($2) and outcome is null';

/** $1 id, $2 now. Does nothing while an order is open. */
export const FINISH_IF_DONE = `
  update jobs set state = 'done', finished_at = $2, note = null
  where id = $1 and state = 'running' and not exists (select from job_items where job_id = $1 and outcome is null)`;

/** $1 id, $2 kind, $3 arguments, $4 the sealed note, $5 selection, $6 who, $7 now, $8 the job that it takes back. */
export const INSERT_JOB = `
  insert into jobs (id, kind, state, arguments, note, selection, requested_by, requested_at, undoes)
  values ($1, $2, 'waiting_for_approval', $3, $4, $5, $6, $7, $8)`;

/** Adds the orders of the query. Its parameters come first, then the id of the job. */
export function insertItems(query: string, jobIdAt: number): string {
  return `insert into job_items (job_id, number, order_id)
    select $${jobIdAt}::text, row_number() over (), order_id from (${query}) as chosen`;
}

const CHANGED_ITEMS = `select row_number() over (order by number) as number, order_id, before, version from job_items
  where job_id = $1 and outcome = 'done' and before is not null`;

/** The orders that a job has changed. $1 the id. */
export const SELECT_CHANGED_ITEMS = `${CHANGED_ITEMS} order by 1`;

/** Adds the orders that another job has changed. $1 the id of the other job, $2 that of this one. */
export const INSERT_CHANGED_ITEMS = `
  insert into job_items (job_id, number, order_id, before, version)
  select $2, number, order_id, before, version from (${CHANGED_ITEMS}) as changed`;

/** The orders that were chosen for a job. $1 the id. */
export const SELECT_ITEMS = 'select number, order_id, before, version from job_items where job_id = $1 order by number';

/** $1 id, $2 whether it waits for approval, $3 now, $4 who approved it or null. A job without orders is done. */
export const START = `
  update jobs set total = counted.total, approved_by = $4,
    state = case when $2 then 'waiting_for_approval' when counted.total = 0 then 'done' else 'running' end,
    started_at = case when not $2 then $3::timestamptz end,
    finished_at = case when not $2 and counted.total = 0 then $3::timestamptz end,
    note = case when not $2 and counted.total = 0 then null else note end
  from (select count(*)::int as total from job_items where job_id = $1) as counted
  where id = $1`;

/** $1 id, $2 now, $3 who approved it. Not while the file of an import is uploaded. */
export const APPROVE_ORDER_TRANSFER = `
  update jobs set state = 'running', started_at = $2, approved_by = $3 from job_files
  where id = $1 and job_id = id and (kind = 'export_orders' or bytes is not null)`;

/** Writers of listings hold it shared: see the migration of the table. */
export const LOCK_SHOW_SALES = 'select pg_advisory_xact_lock(8812731905421)';

/** $1 the show, $2 the job, $3 now. From its commit on nobody can buy a ticket of the show. */
export const CLOSE_SALES = `
  with closed as (
    insert into cancelled_events (event_id, job_id, cancelled_at) values ($1, $2, $3) on conflict (event_id) do nothing)
  update listings set version = version + 1, withdrawn_at = $3, updated_at = $3
  where event_id = $1 and withdrawn_at is null`;

/** $1 id, $2 now. Returns a row if the job was open. */
export const CANCEL = `
  update jobs set state = 'cancelled', finished_at = $2::timestamptz, note = null, reason = null
  where id = $1 and state in ('running', 'paused', 'waiting_for_approval') returning kind, undoes`;

/**
 * $1 a cancelled job, unless another one has cancelled the same show. It must hold LOCK_SHOW_SALES, or two such jobs would each leave it to the
 * other. The listings stay withdrawn until somebody offers them again.
 */
export const ALLOW_SALES = `
  delete from cancelled_events where event_id = (select selection ->> 'event_id' from jobs where id = $1)
    and not exists (
      select from jobs where kind = 'cancel_event' and undoes is null and state in ('running', 'paused', 'done')
        and selection ->> 'event_id' = cancelled_events.event_id)`;
