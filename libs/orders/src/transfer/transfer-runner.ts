import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ExportWork } from './export-work.js';
import { ImportWork } from './import-work.js';
import { JobEnded, TransferLeases } from './transfer-leases.js';

const FAILED = 'It failed unexpectedly. The log of the worker that did it says why.';

/** Does exports and imports, one at a time in each worker. */
@Injectable()
export class TransferRunner {
  #prunedAt = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly leases: TransferLeases,
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
    await this.pool.query(END_UPLOADS);
    await this.pool.query(PRUNE);
  }
}

const PRUNE_EVERY_MS = 10_000;

// The api has died.
const END_UPLOADS = `
  update jobs set state = 'failed', error = 'The upload broke off.', finished_at = clock_timestamp() from job_files
  where id = job_id and kind = 'import_orders' and state = 'running' and bytes is null
    and requested_at < clock_timestamp() - interval '1 day'`;

// Of a job that was cancelled or has failed nobody needs the file either.
const PRUNE = `
  delete from job_file_parts where job_id in (
    select f.job_id from job_files f join jobs on jobs.id = f.job_id
    where f.expires_at < clock_timestamp() or jobs.state in ('cancelled', 'failed'))`;
