import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '#config/settings';
import { KeyedRateLimiter } from '#delivery/keyed-rate-limiter';
import { Clock } from '#runtime/clock';
import { HttpError } from './http-error.js';

const MOST_ADDRESSES = 10_000;

/** Limits the requests for public pages: each address gets as many a second as a discovery key. */
@Injectable()
export class AddressLimit {
  private limiter: KeyedRateLimiter;
  private readonly addresses = new Set<string>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.limiter = new KeyedRateLimiter(clock);
  }

  /** Counts one request. @throws HttpError 42900 */
  admit({ ip }: Pick<FastifyRequest, 'ip'>): void {
    // Starts over before the addresses take much memory.
    if (this.addresses.add(ip).size > MOST_ADDRESSES) {
      this.addresses.clear();
      this.limiter = new KeyedRateLimiter(this.clock);
    }
    const { waitSeconds } = this.limiter.admit(ip, this.settings.DISCOVERY_RATE_PER_SECOND);
    if (waitSeconds > 0) throw HttpError.with(42900, undefined, { 'retry-after': String(waitSeconds) });
  }
}
