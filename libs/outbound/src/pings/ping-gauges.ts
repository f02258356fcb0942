import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { Metrics } from '#platform/metrics';
import { type PingCounts, PingQueries } from '../ping-queries.js';

// Counting the delivered pings reads an index of all pings, so the counts are cached this long.
const COUNT_EVERY_MS = 10_000;

@Injectable()
export class PingGauges implements OnModuleInit {
  private counted: { at: number; counts: Promise<PingCounts> } | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly pings: PingQueries,
    private readonly clock: DatabaseClock,
  ) {}

  onModuleInit(): void {
    const { metrics } = this;
    metrics.gauge('willcall_pings', 'Pings by state', 'state', async () => {
      const { pending, parked, delivered } = await this.pingCounts();
      return { pending, parked, delivered };
    });
    metrics.gauge(
      'willcall_oldest_undelivered_ping_seconds',
      'How long the oldest pending ping has been due',
      undefined,
      async () => ({
        value: (await this.pingCounts()).oldestPendingMs / 1_000,
      }),
    );
  }

  private pingCounts(): Promise<PingCounts> {
    const now = this.clock.now();
    if (!this.counted || now - this.counted.at >= COUNT_EVERY_MS)
      this.counted = { at: now, counts: this.pings.counts() };
    // A failed count is not cached.
    this.counted.counts.catch(() => (this.counted = undefined));
    return this.counted.counts;
  }
}
