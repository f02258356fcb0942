import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { permissionsOf } from '#contracts/backoffice/permission';
import { ApiTokens } from '#people/api-tokens';
import { ADMINISTRATOR_TOKEN, type Caller } from '#people/caller';
import { Sessions } from '#people/sessions';
import type { StreamOwner } from '#ping-stream/live-readers';
import { StreamTokens } from '#ping-stream/stream-tokens';
import { HttpError } from '../http/http-error.js';
import { Callers } from '../people/callers.js';

type StreamRequest = FastifyRequest & { streamOwner?: StreamOwner };

const READ = 'stream:read';

/** Admits stream tokens, and people and API tokens with the permission `stream:read`. */
@Injectable()
export class StreamGuard implements CanActivate {
  constructor(
    private readonly tokens: StreamTokens,
    private readonly callers: Callers,
    private readonly apiTokens: ApiTokens,
    private readonly sessions: Sessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StreamRequest>();
    const id = await this.tokens.find(request.headers.authorization);
    if (id !== undefined) {
      request.streamOwner = { id, isValid: () => this.tokens.isLive(id) };
      return true;
    }
    const caller = await this.callers.of(request);
    if (!caller) throw HttpError.with(40100, undefined, { 'www-authenticate': 'Bearer' });
    if (!caller.permissions.includes(READ)) throw HttpError.with(40300, READ);
    // The administrator's token cannot be revoked while the api runs.
    if (caller !== ADMINISTRATOR_TOKEN) request.streamOwner = this.ownerOf(caller);
    return true;
  }

  private ownerOf({ actor, session }: Caller): StreamOwner {
    if (!session) return { id: actor, isValid: () => this.apiTokens.isLive(actor.replace('token:', '')) };
    const isValid = async () => permissionsOf((await this.sessions.rolesOf(session)) ?? []).includes(READ);
    return { id: `session:${session.toString('hex')}`, isValid };
  }
}

/** Who reads; undefined for the administrator's token. */
export const OwnerOfStream = createParamDecorator((_: unknown, context: ExecutionContext): StreamOwner | undefined => {
  return context.switchToHttp().getRequest<StreamRequest>().streamOwner;
});
