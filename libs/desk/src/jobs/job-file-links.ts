import { Injectable } from '@nestjs/common';
import type { Job } from '../job.contract.js';
import type { JobRow } from '../job.js';
import { JobLinks } from '../files/job-links.js';
import { OrderTransferJobs } from '../order-transfer-jobs.js';
import { type Caller, readsPersonalData } from '#accounts/caller';

/** The files of exports with the links that a caller may have. */
@Injectable()
export class JobFileLinks {
  constructor(
    private readonly transfers: OrderTransferJobs,
    private readonly links: JobLinks,
  ) {}

  /** By the id of the job. A file in clear is for programs that may read buyers' data. */
  async of(jobs: readonly JobRow[], caller: Caller): Promise<ReadonlyMap<string, Job['file']>> {
    const exports = jobs.filter(({ kind, state }) => kind === 'export_orders' && state === 'done').map(({ id }) => id);
    if (exports.length === 0) return new Map();
    const files = [...(await this.transfers.filesOf(exports)).values()];
    const readable = files.filter((file) => !file.in_clear || readsPersonalData(caller));
    return new Map(
      readable.map(({ job_id: id, name, type, bytes }) => [
        id,
        { name, type, bytes, ...this.links.make(id, caller.actor) },
      ]),
    );
  }
}
