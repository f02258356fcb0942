import { Injectable } from '@nestjs/common';
import type { Caller } from './caller.js';
import type { Permission } from './permission.contract.js';
import { Persons } from './persons.js';
import { type SamePerson, samePerson } from './same-person.js';

/** `did`: what somebody did that now waits, such as `began it`. `permission`: what whoever approves it needs. */
type Approval = Readonly<{ did: string; permission: Permission }>;

const ANOTHER = 'another person has to approve it.';
const SOMEBODY_ELSE = 'within the last 24 hours: somebody else has to approve it.';

/** Why somebody cannot approve what may be their own. */
const WHY_NOT: Readonly<Record<SamePerson, (did: string) => string>> = {
  self: (did) => `You ${did}: ${ANOTHER}`,
  'own token': (did) => `Your token ${did}: ${ANOTHER}`,
  'made by the other': (did) => `Who ${did} has made your account or given it a way to sign in ${SOMEBODY_ELSE}`,
  'made the other': (did) => `You have made the account of who ${did} or given it a way to sign in ${SOMEBODY_ELSE}`,
  'made by one': (did) =>
    `One person has made your account and that of who ${did}, or given both a way to sign in ${SOMEBODY_ELSE}`,
};
const TOKEN = 'A person has to approve it, in a session: a token cannot.';
const NOBODY =
  'Nobody can yet: `willcall operators add`, on the server, adds somebody who can at once; somebody added in the console can after 24 hours.';

/** Says who can approve what waits for a second person: an operator who is another person than whoever asked. */
@Injectable()
export class SecondPerson {
  constructor(private readonly persons: Persons) {}

  /** By the actor of each asker whose wish this caller cannot approve, why. */
  async whyNot(
    askers: readonly string[],
    { kind, actor }: Caller,
    { did, permission }: Approval,
  ): Promise<ReadonlyMap<string, string>> {
    const asked = [...new Set(askers)];
    if (asked.length === 0) return new Map();
    const makers = await this.persons.makersOf([actor, ...asked]);
    const reasons = new Map<string, string>();
    for (const asker of asked) {
      const same = samePerson(asker, actor, makers);
      const reason = kind === 'token' ? TOKEN : same && WHY_NOT[same](did);
      if (reason !== undefined) reasons.set(asker, await this.withAdvice(reason, asker, permission));
    }
    return reasons;
  }

  private async withAdvice(reason: string, asker: string, permission: Permission): Promise<string> {
    return (await this.persons.hasOther(asker, permission)) ? reason : `${reason} ${NOBODY}`;
  }
}
