import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { StaffToken } from '#platform-auth/staff-token';
import { HttpError } from '../http/http-error.js';

/** Admits the administrator's bearer token. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(private readonly token: StaffToken) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (this.token.admits(headers.authorization)) return true;
    throw HttpError.with(40100, undefined, { 'www-authenticate': 'Bearer' });
  }
}
