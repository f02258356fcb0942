import { Injectable } from '@nestjs/common';
import type { JobRow } from '../job.js';
import type { Caller } from '#accounts/caller';
import { SecondPerson } from '#accounts/second-person';

/** Says who can approve a job: an operator who is another person than whoever began it. */
@Injectable()
export class JobApprovers {
  constructor(private readonly secondPerson: SecondPerson) {}

  /** By the id of each job that this caller cannot approve, why. */
  async whyNot(jobs: readonly JobRow[], caller: Caller): Promise<ReadonlyMap<string, string>> {
    const beginners = jobs.map((job) => job.requested_by);
    const reasons = await this.secondPerson.whyNot(beginners, caller, { did: 'began it', permission: 'runs:act' });
    const isAllowed = caller.permissions.includes('money:act');
    return new Map(
      jobs.flatMap((job) => {
        const lacks = job.kind === 'refund' && !isAllowed ? NOT_ALLOWED : undefined;
        return ifGiven(job.id, lacks ?? reasons.get(job.requested_by));
      }),
    );
  }
}

const NOT_ALLOWED = 'It moves money: whoever approves it needs the permission money:act.';

const ifGiven = (id: string, reason: string | undefined): [string, string][] =>
  reason === undefined ? [] : [[id, reason]];
