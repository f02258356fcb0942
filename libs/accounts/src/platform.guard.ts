import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings, takesPayments } from '#base/settings';
import { markNoEffect } from '#database/database-errors';
import { RequestVerifier, type VerifiedClient } from './verify-request.js';
import { HttpError } from '#web/http-error';
import { RateLimit } from './clients/rate-limit.js';

/** The platform client whose signature a request carries. */
export type PlatformClient = VerifiedClient;

type SignedRequest = FastifyRequest & { platformClient?: PlatformClient };

/** Admits a request that was signed with a secret of its client: method, path and bytes exactly as they arrived. */
@Injectable()
export class PlatformGuard implements CanActivate {
  constructor(
    private readonly verifier: RequestVerifier,
    private readonly rateLimit: RateLimit,
    private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedRequest>();
    const { method = '', rawHeaders } = request.raw;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const signed = { method, rawUrl: request.originalUrl, rawHeaders, body };
    const client = await this.verifier.verify(signed).catch((error: unknown) => {
      // A request that was not admitted has no effect, so it may be sent again.
      markNoEffect(error);
      throw error;
    });
    // The same answer for every failure: naming the wrong part would only help an attacker.
    if (!client) throw HttpError.with(40100, undefined, { 'www-authenticate': this.settings.CHECKOUT_SCHEME });
    const waitSeconds = this.rateLimit.take(client.clientId);
    if (waitSeconds > 0) throw HttpError.with(42900, undefined, { 'retry-after': String(waitSeconds) });
    request.platformClient = client;
    return true;
  }
}

// Only a new setting and a restart can help.
const RETRY_WITHOUT_PROVIDER_SECONDS = '60';

/** Refuses what a client of the payment variant could not finish, because nobody would take the payment. Put it behind `PlatformGuard`. */
@Injectable()
export class PaymentProviderGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { platformClient } = context.switchToHttp().getRequest<SignedRequest>();
    if (takesPayments(this.settings) || platformClient?.variant !== 'payment') return true;
    const headers = { 'retry-after': RETRY_WITHOUT_PROVIDER_SECONDS };
    throw HttpError.with(50300, 'no payment provider is configured', headers);
  }
}

/** The client that `PlatformGuard` admitted. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): PlatformClient => {
  const { platformClient } = context.switchToHttp().getRequest<SignedRequest>();
  if (!platformClient) throw new Error('A route that asks for its client needs the PlatformGuard.');
  return platformClient;
});
