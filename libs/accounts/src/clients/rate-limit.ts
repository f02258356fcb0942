import { Injectable } from '@nestjs/common';
import { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { KeyedRateLimiter } from '#delivery-kit/keyed-rate-limiter';

/** Limits the requests of each authenticated platform client. */
@Injectable()
export class RateLimit {
  readonly #limiter: KeyedRateLimiter;

  constructor(
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.#limiter = new KeyedRateLimiter(clock);
  }

  /** Counts one request. @returns the seconds to wait, or 0. */
  take(clientId: string): number {
    return this.#limiter.admit(clientId, this.settings.CHECKOUT_RATE_PER_SECOND).waitSeconds;
  }
}
