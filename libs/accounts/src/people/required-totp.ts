import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '#base/settings';
import type { Role } from '../permission.contract.js';
import type { Session } from './sessions.js';
import { HttpError } from '#web/http-error';

const SET_UP = /^\/backoffice\/v1\/operators\/:id\/totp(?:\/confirm)?$/;

/** `REQUIRE_TOTP`: whoever must have an authenticator app and has none may only set it up. */
@Injectable()
export class RequiredTotp {
  constructor(private readonly settings: Settings) {}

  isRequiredOf(roles: readonly Role[]): boolean {
    return roles.some((role) => this.settings.REQUIRE_TOTP.includes(role));
  }

  isMissing({ operator: { roles, totp }, byOpenId }: Session): boolean {
    return !totp && !byOpenId && this.isRequiredOf(roles);
  }

  /** @throws HttpError 40311 */
  check(session: Session, { method, routeOptions, params }: FastifyRequest): void {
    if (!this.isMissing(session)) return;
    const isOwn = (params as { id?: string } | undefined)?.id === session.operator.id;
    if (!isOwn || method !== 'POST' || !SET_UP.test(routeOptions.url ?? '')) throw HttpError.with(40311);
  }
}
