import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { Batcher } from '#delivery-kit/batcher';
import { RateLimiter } from '#delivery-kit/rate-limiter';
import type { Clock } from '#base/clock';
import { Pause } from '#base/pause';
import { PingSettings } from './ping-settings.js';
import { PlatformRecord } from './platform-record.js';

// One statement at a time. Requests that arrive meanwhile share the next one.
const BATCHES = { atOnce: 1, items: 500 };

// Allows small bursts, so a rate of hundreds per second does not need one timer per ping.
const BURST_MS = 100;

/** All workers share the rate. */
@Injectable()
export class PingRateLimiter {
  private readonly reservations = new Batcher(
    (requests: readonly undefined[]) => this.reserve(requests.length),
    BATCHES,
  );
  private readonly waits = new Set<Pause>();
  private stopped = false;

  constructor(
    @Inject(PlatformRecord) private readonly record: Pick<PlatformRecord, 'reserve'>,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(PingSettings) private readonly settings: Pick<PingSettings, 'perSecond'>,
  ) {}

  get isLimited(): boolean {
    return this.settings.perSecond > 0;
  }

  /** Returns false if the worker stops first. An unused slot is lost. */
  async acquire(): Promise<boolean> {
    if (!this.isLimited) return true;
    const at = await this.reservations.add(undefined);
    const pause = new Pause();
    this.waits.add(pause);
    if (!this.stopped) await pause.wait(at - this.clock.monotonic());
    this.waits.delete(pause);
    return !this.stopped;
  }

  stop(): void {
    this.stopped = true;
    for (const pause of this.waits) pause.wake();
  }

  private async reserve(count: number): Promise<number[]> {
    const from = await this.record.reserve((count * 1_000) / this.settings.perSecond);
    const limiter = new RateLimiter({ perSecond: this.settings.perSecond, burstMs: BURST_MS }, from);
    const now = this.clock.now();
    const began = this.clock.monotonic();
    return Array.from({ length: count }, () => {
      const at = began + limiter.waitMs(now);
      limiter.take(now);
      return at;
    });
  }
}
