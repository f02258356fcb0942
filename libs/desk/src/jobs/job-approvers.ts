import { Injectable } from '@nestjs/common';
import type { JobRow } from '../job.js';
import type { Caller } from '#accounts/caller';
import { Persons } from '#accounts/persons';
import { type SamePerson, samePerson } from '#accounts/same-person';

const ANOTHER = 'another person has to approve it.';
const SOMEBODY_ELSE = 'within the last 24 hours: somebody else has to approve it.';

/** Why somebody cannot approve what may be their own job. */
const WHY_NOT: Readonly<Record<SamePerson, string>> = {
  self: `You began it: ${ANOTHER}`,
  'own token': `Your token began it: ${ANOTHER}`,
  'made by the other': `Who began it has made your account or given it a way to sign in ${SOMEBODY_ELSE}`,
  'made the other': `You have made the account of who began it or given it a way to sign in ${SOMEBODY_ELSE}`,
  'made by one': `One person has made your account and that of who began it, or given both a way to sign in ${SOMEBODY_ELSE}`,
};
const TOKEN = 'A person has to approve it, in a session: a token cannot.';
const NOBODY =
  'Nobody can yet: `willcall operators add`, on the server, adds somebody who can at once; somebody added in the console can after 24 hours.';

/** Says who can approve a job: an operator who is another person than whoever began it. */
@Injectable()
export class JobApprovers {
  constructor(private readonly persons: Persons) {}

  /** By the id of each job that this caller cannot approve, why. */
  async whyNot(jobs: readonly JobRow[], { kind, actor }: Caller): Promise<ReadonlyMap<string, string>> {
    const beginners = [...new Set(jobs.map((job) => job.requested_by))];
    if (beginners.length === 0) return new Map();
    const makers = await this.persons.makersOf([actor, ...beginners]);
    const reasons = new Map<string, string>();
    for (const beginner of beginners) {
      const same = samePerson(beginner, actor, makers);
      const reason = kind === 'token' ? TOKEN : same && WHY_NOT[same];
      if (reason !== undefined) reasons.set(beginner, await this.withAdvice(reason, beginner));
    }
    return new Map(jobs.flatMap((job) => ifGiven(job.id, reasons.get(job.requested_by))));
  }

  private async withAdvice(reason: string, beginner: string): Promise<string> {
    return (await this.persons.hasOther(beginner, 'runs:act')) ? reason : `${reason} ${NOBODY}`;
  }
}

const ifGiven = (id: string, reason: string | undefined): [string, string][] =>
  reason === undefined ? [] : [[id, reason]];
