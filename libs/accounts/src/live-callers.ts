import { Injectable } from '@nestjs/common';
import { type Permission, permissionsOf } from './permission.contract.js';
import { ApiTokens } from './people/api-tokens.js';
import { ADMINISTRATOR_TOKEN, type Caller, type StreamOwner } from './caller.js';
import { Sessions } from './people/sessions.js';

/** Checks whether callers with an open connection may still read. */
@Injectable()
export class LiveCallers {
  constructor(
    private readonly apiTokens: ApiTokens,
    private readonly sessions: Sessions,
  ) {}

  /** Undefined for the administrator's token, which cannot be revoked while the api runs. */
  async ownerOf(caller: Caller, needed: Permission): Promise<StreamOwner | undefined> {
    if (caller === ADMINISTRATOR_TOKEN) return undefined;
    const { actor, session, sellers } = caller;
    if (!session) {
      const token = actor.replace('token:', '');
      // Somebody with many tokens is still one person.
      const maker = await this.apiTokens.makerOf(token);
      const person = maker?.startsWith('operator:') ? maker : actor;
      return { id: actor, person, isValid: () => this.apiTokens.isLive(token) };
    }
    const isValid = async () => {
      const operator = await this.sessions.operatorOf(session);
      // After a change of the sellers the caller must reconnect.
      const isSame = sellers === null || sellers.join('\n') === operator?.sellers?.join('\n');
      return operator !== undefined && isSame && permissionsOf(operator.roles).includes(needed);
    };
    return { id: `session:${session.toString('hex')}`, person: actor, isValid };
  }
}
