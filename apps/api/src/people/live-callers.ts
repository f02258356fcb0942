import { Injectable } from '@nestjs/common';
import { type Permission, permissionsOf } from '#contracts/backoffice/permission';
import { ApiTokens } from '#people/api-tokens';
import { ADMINISTRATOR_TOKEN, type Caller, type StreamOwner } from '#people/caller';
import { Sessions } from '#people/sessions';

/** Checks whether callers with an open connection may still read. */
@Injectable()
export class LiveCallers {
  constructor(
    private readonly apiTokens: ApiTokens,
    private readonly sessions: Sessions,
  ) {}

  /** Undefined for the administrator's token, which cannot be revoked while the api runs. */
  ownerOf(caller: Caller, needed: Permission): StreamOwner | undefined {
    if (caller === ADMINISTRATOR_TOKEN) return undefined;
    const { actor, session, sellers } = caller;
    if (!session) return { id: actor, isValid: () => this.apiTokens.isLive(actor.replace('token:', '')) };
    const isValid = async () => {
      const operator = await this.sessions.operatorOf(session);
      // After a change of the sellers the caller must reconnect.
      const isSame = sellers === null || sellers.join('\n') === operator?.sellers?.join('\n');
      return operator !== undefined && isSame && permissionsOf(operator.roles).includes(needed);
    };
    return { id: `session:${session.toString('hex')}`, isValid };
  }
}
