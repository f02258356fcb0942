import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ORDER_TRANSFER_KINDS } from '../job.contract.js';
import { ExportWork } from './export-work.js';
import { ImportWork } from './import-work.js';
import { JobEnded, OrderTransferLeases } from './order-transfer-leases.js';

const FAILED = 'It failed unexpectedly. The log of the worker that did it says why.';

/** Does exports and imports, one at a time in each worker. */
@Injectable()
export class OrderTransferRunner {
  #prunedAt = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly leases: OrderTransferLeases,
    private readonly exports: ExportWork,
    private readonly imports: ImportWork,
  ) {}

  /** Works on the oldest open job until it ends or the process stops. */
  async step(stop: AbortSignal): Promise<void> {
    const job = await this.leases.claim();
    if (!job) return await this.prune();
    const work = job.kind === 'export_orders' ? this.exports : this.imports;
    try {
      await work.run(job, stop);
    } catch (error) {
      if (error instanceof JobEnded) return await this.leases.release(job);
      await this.leases.fail(job, FAILED);
      throw error;
    }
  }

  private async prune(): Promise<void> {
    if (performance.now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = performance.now();
    await this.tidy();
  }

  /** Ends what nobody goes on with, and removes what is no longer needed. */
  async tidy(): Promise<void> {
    await this.pool.query(END_UPLOADS);
    await this.pool.query(END_WAITING, [ORDER_TRANSFER_KINDS]);
    await this.pool.query(PRUNE_FILES);
    await this.pool.query(PRUNE_LINES);
    await this.pool.query(PRUNE_JOBS);
  }
}

const PRUNE_EVERY_MS = 10_000;

// The api has died. One of an earlier version holds no lease.
const END_UPLOADS = `
  update jobs set state = 'failed', error = 'The upload broke off.', finished_at = clock_timestamp() from job_files
  where id = job_id and kind = 'import_orders' and state in ('running', 'waiting_for_approval') and bytes is null
    and coalesce(leased_until, requested_at + interval '1 day') < clock_timestamp()`;

const WAITS_DAYS = 7;

// The upload has buyers' data, which is not to wait for ever.
const END_WAITING = `
  update jobs set state = 'cancelled', error = 'Nobody approved it within ${WAITS_DAYS} days.', finished_at = clock_timestamp()
  where kind = any($1) and state = 'waiting_for_approval' and requested_at < clock_timestamp() - interval '${WAITS_DAYS} days'`;

// Of a job that was cancelled or has failed nobody needs the file either.
const PRUNE_FILES = `
  delete from job_file_parts where job_id in (
    select f.job_id from job_files f join jobs on jobs.id = f.job_id
    where f.expires_at < clock_timestamp() or jobs.state in ('cancelled', 'failed'))`;

const KEPT_DAYS = 90;
const LINES_AT_ONCE = 20_000;
const OLD = `finished_at < clock_timestamp() - interval '${KEPT_DAYS} days'`;

// An import may have millions of lines, which one statement would delete for minutes.
const PRUNE_LINES = `
  delete from job_items where ctid = any(array(
    select item.ctid from jobs join job_items item on item.job_id = jobs.id where ${OLD} limit ${LINES_AT_ONCE}))`;

const PRUNE_JOBS = `delete from jobs where ${OLD} and not exists (select from job_items where job_id = jobs.id)`;
