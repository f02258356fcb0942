import { Injectable } from '@nestjs/common';
import { Clock } from '#runtime/clock';
import { Settings } from '#config/settings';
import { TokenBuckets } from '../http/token-buckets.js';

/** How often an authenticated platform client may ask. */
@Injectable()
export class RateLimit {
  readonly #buckets: TokenBuckets;

  constructor(
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.#buckets = new TokenBuckets(clock);
  }

  /** Takes one request's token. @returns 0, or after how many seconds to come back. */
  take(clientId: string): number {
    return this.#buckets.take(clientId, this.settings.CHECKOUT_RATE_PER_SECOND).waitSeconds;
  }
}
