import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { StreamTokens } from '#ping-stream/stream-tokens';
import { StaffToken } from '#platform-auth/staff-token';
import { HttpError } from '../http/http-error.js';

type StreamRequest = FastifyRequest & { streamToken?: string };

/** Admits stream tokens and the administrator's token. */
@Injectable()
export class StreamGuard implements CanActivate {
  constructor(
    private readonly tokens: StreamTokens,
    private readonly staff: StaffToken,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StreamRequest>();
    const { authorization } = request.headers;
    if (this.staff.admits(authorization)) return true;
    const id = await this.tokens.find(authorization);
    if (id === undefined) throw HttpError.with(40100, undefined, { 'www-authenticate': 'Bearer' });
    request.streamToken = id;
    return true;
  }
}

/** The id of the token that `StreamGuard` admitted; undefined for the administrator's token, which cannot be revoked at runtime. */
export const TokenOfStream = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  return context.switchToHttp().getRequest<StreamRequest>().streamToken;
});
