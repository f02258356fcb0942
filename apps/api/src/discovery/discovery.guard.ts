import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Clock } from '#runtime/clock';
import { KeyedRateLimiter } from '#delivery/keyed-rate-limiter';
import { Settings } from '#config/settings';
import { DiscoveryKeyUsage } from '#platform-auth/discovery-key-usage';
import { DiscoveryKeys } from '#platform-auth/discovery-keys';
import { HttpError } from '../http/http-error.js';
import { credentialsOf } from './credentials.js';
import type { DiscoveryRequest } from './discovery-request.js';
import { parseQuery } from './query-string.js';

/** Admits requests with a valid key, up to its rate limit. */
@Injectable()
export class DiscoveryGuard implements CanActivate {
  readonly #limiter: KeyedRateLimiter;

  constructor(
    private readonly keys: DiscoveryKeys,
    private readonly usage: DiscoveryKeyUsage,
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.#limiter = new KeyedRateLimiter(clock);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<DiscoveryRequest>();
    const query = parseQuery(request.raw.url ?? '');
    const credentials = credentialsOf(query, request.headers.authorization);
    const key = credentials && (await this.keys.admit(credentials));
    if (!key) throw HttpError.with(40307);
    const perSecond = key.ratePerSecond ?? this.settings.DISCOVERY_RATE_PER_SECOND;
    const { waitSeconds, limit, remaining, fullAfterSeconds } = this.#limiter.admit(key.clientId, perSecond);
    this.usage.count(key.clientId, { throttled: waitSeconds > 0 });
    const reply = http.getResponse<FastifyReply>();
    void reply.header('ratelimit-limit', limit);
    void reply.header('ratelimit-remaining', remaining);
    void reply.header('ratelimit-reset', fullAfterSeconds);
    if (waitSeconds > 0) throw HttpError.with(42900, undefined, { 'retry-after': String(waitSeconds) });
    request.discoveryQuery = query;
    return true;
  }
}
