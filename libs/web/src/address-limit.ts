import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '#base/settings';
import { KeyedRateLimiter } from '#delivery-kit/keyed-rate-limiter';
import { Clock } from '#base/clock';
import { addressKey } from './client-address.js';
import { HttpError } from './http-error.js';

/** Limits the requests for public pages: each address gets as many a second as a discovery key. */
@Injectable()
export class AddressLimit {
  readonly #limiter: KeyedRateLimiter;

  constructor(
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.#limiter = new KeyedRateLimiter(clock);
  }

  /** Counts one request. @throws HttpError 42900 */
  admit({ ip }: Pick<FastifyRequest, 'ip'>): void {
    const { waitSeconds } = this.#limiter.admit(addressKey(ip), this.settings.DISCOVERY_RATE_PER_SECOND);
    if (waitSeconds > 0) throw HttpError.with(42900, undefined, { 'retry-after': String(waitSeconds) });
  }
}
