import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { FeedBacklog } from '#event-store/feed-backlog';
import { Metrics } from '#operations/metrics';
import { StreamBacklog } from '#ping-stream/stream-backlog';
import { type PingCounts, PingQueries } from '#pings/ping-queries';
import type { Depth } from '#delivery/queues/job-queue';
import { DeadlineQueue, PingQueue } from './queues.module.js';

// Counting what is delivered reads an index of all pings: not more often than this, however many scrape.
const COUNT_EVERY_MS = 10_000;

/** What is looked up when Prometheus asks, the same in every process. */
@Injectable()
export class Gauges implements OnModuleInit {
  private counted: { at: number; counts: Promise<PingCounts> } | undefined;
  private readonly pings: PingQueries;
  private readonly backlog: FeedBacklog;
  private readonly streamBacklog: StreamBacklog;

  constructor(
    private readonly metrics: Metrics,
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: DatabaseClock,
    @Inject(PingQueue) private readonly pingQueue: PingQueue,
    @Inject(DeadlineQueue) private readonly deadlineQueue: DeadlineQueue,
  ) {
    this.pings = new PingQueries(pool, clock);
    this.backlog = new FeedBacklog(pool, clock);
    this.streamBacklog = new StreamBacklog(pool, clock);
  }

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
    metrics.gauge(
      'willcall_feed_backlog_seconds',
      'Age of the oldest event that is not in the feed yet',
      undefined,
      async () => ({
        value: (await this.backlog.oldestMs()) / 1_000,
      }),
    );
    metrics.gauge(
      'willcall_stream_backlog_seconds',
      'Age of the oldest event of the feed that the ping stream has not seen yet',
      undefined,
      async () => ({
        value: (await this.streamBacklog.oldestMs()) / 1_000,
      }),
    );
    metrics.gauge('willcall_queue_jobs', 'Jobs by queue and state', 'queue_state', async () => ({
      ...labelled('pings', await this.pingQueue.depth()),
      ...labelled('deadlines', await this.deadlineQueue.depth()),
    }));
    metrics.gauge('willcall_database_connections', 'Connections of the pool by use', 'use', async () => {
      const { totalCount, idleCount, waitingCount } = this.pool;
      return { busy: totalCount - idleCount, idle: idleCount, waited_for: waitingCount };
    });
  }

  private pingCounts(): Promise<PingCounts> {
    const now = this.clock.now();
    if (!this.counted || now - this.counted.at >= COUNT_EVERY_MS)
      this.counted = { at: now, counts: this.pings.counts() };
    // A failed count is not kept for the next who asks.
    this.counted.counts.catch(() => (this.counted = undefined));
    return this.counted.counts;
  }
}

function labelled(queue: string, depth: Depth): Record<string, number> {
  return Object.fromEntries(Object.entries(depth).map(([state, jobs]) => [`${queue} ${state}`, jobs]));
}
