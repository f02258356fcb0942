import { Injectable } from '@nestjs/common';
import { Clock } from '#ambient/clock';
import { Settings } from '#config/settings';

/** A token bucket per authenticated client, each as full as two seconds' worth: a burst passes, a flood gets 429. */
@Injectable()
export class RateLimit {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Takes one request's token. @returns 0, or after how many seconds to come back. */
  take(clientId: string): number {
    const perSecond = this.settings.CHECKOUT_RATE_PER_SECOND;
    const now = this.clock.now();
    const bucket = this.buckets.get(clientId) ?? { tokens: perSecond * 2, at: now };
    const refilled = Math.min(perSecond * 2, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
    const allowed = refilled >= 1;
    this.buckets.set(clientId, { tokens: allowed ? refilled - 1 : refilled, at: now });
    return allowed ? 0 : Math.max(1, Math.ceil((1 - refilled) / perSecond));
  }
}
