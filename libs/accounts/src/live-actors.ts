import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { ApiTokens } from './people/api-tokens.js';
import { ADMINISTRATOR_TOKEN } from './caller.js';
import { Operators } from './operators.js';

/** Tells whether those who once did something could still do anything: what they handed out ends with them. */
@Injectable()
export class LiveActors {
  constructor(
    private readonly operators: Operators,
    private readonly tokens: ApiTokens,
    private readonly settings: Settings,
  ) {}

  /** @param actor as in the audit log */
  async isLive(actor: string): Promise<boolean> {
    if (actor === ADMINISTRATOR_TOKEN.actor) return this.settings.BACKOFFICE_TOKEN !== undefined;
    const [kind, id = ''] = actor.split(/:(.*)/s);
    if (kind === 'operator') return (await this.operators.find(id))?.state === 'active';
    if (kind === 'token') return await this.tokens.isLive(id);
    return true;
  }
}
