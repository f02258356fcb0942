import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '#web/http-error';
import { LinkRate } from '../tickets/link-rate.js';
import { PassIssuer } from './pass-issuer.js';

/** Who may ask about passes: whoever has one, and devices that registered. */
@Injectable()
export class PassAccess {
  constructor(
    private readonly issuer: PassIssuer,
    private readonly rate: LinkRate,
  ) {}

  /** For what a device asks without a pass. Counts one request. @throws HttpError 40400 if no such passes are issued here, 42900 */
  admitDevice(typeId: string, request: FastifyRequest): void {
    this.checkType(typeId);
    this.admitAnyone(request);
  }

  /** The same for anybody. @throws HttpError 42900 */
  admitAnyone(request: FastifyRequest): void {
    this.rate.admit('passes', request);
  }

  /** Counts one request of whoever has the pass. @throws HttpError 40100 without the token in it, 40400, 42900 */
  admitOwner(typeId: string, serial: string, request: FastifyRequest): void {
    this.checkType(typeId);
    const [, token] = /^ApplePass ([\w-]{1,100})$/.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined || !this.issuer.isToken(serial, token)) throw HttpError.with(40100);
    this.rate.admit(serial, request);
  }

  private checkType(typeId: string): void {
    if (this.issuer.typeId === undefined || typeId !== this.issuer.typeId) throw HttpError.notFound('type of passes');
  }
}
