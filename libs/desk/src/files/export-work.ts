import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { ExportArguments } from '../order-export.contract.js';
import { Sealer } from '#base/sealing';
import { JobFiles } from './job-files.js';
import { OrderExport } from './order-export.js';
import { openedRequest } from '../order-transfer-jobs.js';
import { type ClaimedJob, JobEnded, OrderTransferLeases } from './order-transfer-leases.js';

const REPORT_EVERY_MS = 500;

/** Writes the file of an export. One that was interrupted begins again, because orders have changed since. */
@Injectable()
export class ExportWork {
  constructor(
    private readonly pool: Pool,
    private readonly exporting: OrderExport,
    private readonly files: JobFiles,
    private readonly leases: OrderTransferLeases,
    private readonly sealer: Sealer,
  ) {}

  /** @throws JobEnded */
  async run(job: ClaimedJob, stop: AbortSignal): Promise<void> {
    const { where, ids, access } = openedRequest(this.sealer, job.id, job.request);
    const given = job.arguments as ExportArguments;
    await this.files.remove(job.id, job.attempt);
    const progress = { orders: 0 };
    const request = { ...given, selection: { where, ids }, access, isMasked: !job.in_clear };
    const pieces = this.exporting.bytes(request, (orders) => (progress.orders = orders));
    const bytes = await this.files.write(job.id, job.attempt, this.reported(job, pieces, progress, stop));
    const values = [job.id, job.attempt, bytes, progress.orders];
    if ((await this.pool.query(FINISH, values)).rowCount !== 1) throw new JobEnded();
  }

  private async *reported(
    job: ClaimedJob,
    pieces: AsyncIterable<Buffer>,
    progress: Readonly<{ orders: number }>,
    stop: AbortSignal,
  ): AsyncGenerator<Buffer> {
    let reportedAt = 0;
    for await (const piece of pieces) {
      if (stop.aborted) throw new JobEnded();
      if (performance.now() - reportedAt > REPORT_EVERY_MS) {
        await this.leases.report(job, progress.orders);
        reportedAt = performance.now();
      }
      yield piece;
    }
  }
}

/** How long the file can be fetched. */
const KEPT_HOURS = 24;

// $4 is how many orders there were in the end.
const FINISH = `
  with written as (
    update job_files set bytes = $3, request = null, expires_at = clock_timestamp() + interval '${KEPT_HOURS} hours'
    from jobs where job_id = $1 and attempt = $2 and jobs.id = job_id and jobs.state = 'running' returning job_id)
  update jobs set state = 'done', done = $4, total = $4, finished_at = clock_timestamp() from written where id = job_id`;
