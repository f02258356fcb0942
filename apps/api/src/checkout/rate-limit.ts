import { Injectable } from '@nestjs/common';
import { Clock } from '#runtime/clock';
import { Settings } from '#config/settings';
import { KeyedRateLimiter } from '#delivery/keyed-rate-limiter';

/** How often an authenticated platform client may ask. */
@Injectable()
export class RateLimit {
  readonly #limiter: KeyedRateLimiter;

  constructor(
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.#limiter = new KeyedRateLimiter(clock);
  }

  /** Counts one request. @returns 0, or after how many seconds to come back. */
  take(clientId: string): number {
    return this.#limiter.admit(clientId, this.settings.CHECKOUT_RATE_PER_SECOND).waitSeconds;
  }
}
