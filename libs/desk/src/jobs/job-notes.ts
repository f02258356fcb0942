import { Injectable } from '@nestjs/common';
import { Sealer } from '#base/sealing';
import { CardDataPolicy } from '#orders/card-data-policy';
import { jobNoteContext } from '../job.js';

/** The note that a job adds to each of its changes. The database holds it sealed, until the job ends. */
@Injectable()
export class JobNotes {
  constructor(
    private readonly sealer: Sealer,
    private readonly policy: CardDataPolicy,
  ) {}

  /** @throws DomainError if the note has card data and the settings refuse it */
  sealed(jobId: string, note: string | undefined): Buffer | null {
    if (note === undefined) return null;
    return this.sealer.seal('job-note', jobNoteContext(jobId), Buffer.from(this.policy.admit('note', note)));
  }

  opened(jobId: string, note: Buffer | null): string | undefined {
    return note ? this.sealer.open('job-note', jobNoteContext(jobId), note).toString() : undefined;
  }
}
