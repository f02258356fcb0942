import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { StreamOwner } from '#accounts/caller';
import { bearerTokenIn } from '#base/token';
import { StreamTokens } from '../stream-tokens.js';
import { HttpError } from '#web/http-error';
import { Callers } from '#accounts/callers';
import { LiveCallers } from '#accounts/live-callers';

type StreamRequest = FastifyRequest & { streamOwner?: StreamOwner };

const READ = 'stream:read';

/** Admits stream tokens, and people and API tokens with the permission `stream:read`. */
@Injectable()
export class StreamGuard implements CanActivate {
  constructor(
    private readonly tokens: StreamTokens,
    private readonly callers: Callers,
    private readonly live: LiveCallers,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StreamRequest>();
    const token = bearerTokenIn(request.headers.authorization);
    const found = token === undefined ? undefined : await this.tokens.find(token);
    if (found) {
      const { id } = found;
      request.streamOwner = { id, isValid: () => this.tokens.isLive(id) };
      return true;
    }
    const caller = await this.callers.of(request);
    if (!caller) throw HttpError.with(40100, undefined, { 'www-authenticate': 'Bearer' });
    if (!caller.permissions.includes(READ)) throw HttpError.with(40300, READ);
    const owner = await this.live.ownerOf(caller, READ);
    if (owner) request.streamOwner = owner;
    return true;
  }
}

/** Who reads; undefined for the administrator's token. */
export const OwnerOfStream = createParamDecorator((_: unknown, context: ExecutionContext): StreamOwner | undefined => {
  return context.switchToHttp().getRequest<StreamRequest>().streamOwner;
});
