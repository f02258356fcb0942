import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { ORDER_TRANSFER_KINDS, type OrderTransferKind } from '../job.contract.js';

/** A job that this worker works on. */
export type ClaimedJob = Readonly<{
  id: string;
  kind: OrderTransferKind;
  arguments: Readonly<Record<string, unknown>>;
  requested_by: string;
  attempt: number;
  in_clear: boolean;
  /** What an export asks for, sealed. */
  request: Buffer | null;
  /** How far an import has come. */
  line: number;
}>;

/** Somebody paused or cancelled the job, or another worker has it now. */
export class JobEnded extends Error {}

/** A worker that is silent for so long has died, and another one goes on. */
const LEASE_MS = 30_000;

/** Gives each export and import to one worker at a time. */
@Injectable()
export class OrderTransferLeases {
  constructor(private readonly pool: Pool) {}

  /** The oldest open job that nobody works on. */
  async claim(): Promise<ClaimedJob | undefined> {
    const { rows } = await this.pool.query<ClaimedJob>(CLAIM, [LEASE_MS, ORDER_TRANSFER_KINDS]);
    return rows[0];
  }

  /** Prolongs the lease. @param done the number of orders so far @throws JobEnded */
  async report({ id, attempt }: ClaimedJob, done?: number): Promise<void> {
    const { rowCount } = await this.pool.query(REPORT, [id, attempt, LEASE_MS, done ?? null]);
    if (rowCount !== 1) throw new JobEnded();
  }

  /** In the transaction that writes the orders of these lines. @throws JobEnded; then they must not be written */
  async advance(client: ClientBase, { id, attempt }: ClaimedJob, step: ImportStep): Promise<void> {
    const { from, to, done, failed } = step;
    const { rowCount } = await client.query(ADVANCE, [id, attempt, LEASE_MS, from, to, done, failed]);
    if (rowCount !== 1) throw new JobEnded();
  }

  /** Another worker may take it at once. */
  async release({ id, attempt }: ClaimedJob): Promise<void> {
    await this.pool.query('update job_files set leased_until = null where job_id = $1 and attempt = $2', [id, attempt]);
  }

  async fail({ id, attempt }: ClaimedJob, error: string): Promise<void> {
    await this.pool.query(FAIL, [id, attempt, error]);
  }
}

/** From after the line `from` to the line `to`. `done` and `failed` are numbers of lines. */
export type ImportStep = Readonly<{ from: number; to: number; done: number; failed: number }>;

const PROLONGED = `leased_until = clock_timestamp() + $3::float8 * interval '1 ms'`;

// The number of the attempt keeps out a worker that was only thought dead.
const CLAIM = `
  update job_files f set attempt = attempt + 1, leased_until = clock_timestamp() + $1::float8 * interval '1 ms'
  from (
    select j.id, j.kind, j.arguments, j.requested_by from jobs j join job_files on job_id = j.id
    where j.state = 'running' and j.kind = any($2) and (j.kind = 'export_orders' or bytes is not null)
      and (leased_until is null or leased_until < clock_timestamp())
    order by j.id limit 1 for update of job_files skip locked) as open
  where f.job_id = open.id returning open.id, open.kind, open.arguments, open.requested_by, f.attempt, f.in_clear, f.request, f.line`;

const REPORT = `
  with mine as (
    update job_files set ${PROLONGED} from jobs
    where job_id = $1 and attempt = $2 and jobs.id = job_id and jobs.state = 'running' returning job_id),
  shown as (update jobs set done = coalesce($4, done) from mine where id = job_id)
  select from mine`;

const ADVANCE = `
  with mine as (
    update job_files set ${PROLONGED}, line = $5 where job_id = $1 and attempt = $2 and line = $4 returning job_id)
  update jobs set done = done + $6, failed = failed + $7 from mine where id = job_id and state = 'running'`;

const FAIL = `
  update jobs set state = 'failed', error = $3, finished_at = clock_timestamp() from job_files
  where id = $1 and job_id = id and attempt = $2 and state = 'running'`;
