import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { FeedLeader } from '#event-store/feed-leader';
import { Subscription } from '#event-store/subscription';
import { errorFields, Logger } from '#operations/logger';
import { Metrics } from '#operations/metrics';
import { PingStreamWriter } from '#ping-stream/ping-stream-writer';
import { PingScheduler } from '#pings/ping-scheduler';
import { Connections } from '#wiring/connections';

/** Leads the feed, where no other worker does, wakeups for the pings of what comes into it, and adds them to the ping stream. */
@Injectable()
export class FeedWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  // Each pauses for milliseconds only.
  readonly pauseMs = 0;
  private readonly leader: FeedLeader;
  private readonly schedulers: Subscription;
  private readonly stream: PingStreamWriter;

  constructor(
    connections: Connections,
    clock: DatabaseClock,
    logger: Logger,
    metrics: Metrics,
    scheduler: PingScheduler,
  ) {
    const onError = (part: string) => (fault: unknown) =>
      logger.warn({ part, ...errorFields(fault) }, 'the feed stumbled');
    this.schedulers = new Subscription({
      name: 'ping-schedulers',
      connection: connections.config('willcall ping schedulers'),
      handle: (events) => scheduler.scheduleFor(events),
      onError: onError('ping schedulers'),
    });
    this.stream = new PingStreamWriter({
      connection: connections.config('willcall ping stream', { lazyCommit: true, byIndex: true }),
      onError: onError('ping stream'),
    });
    this.leader = new FeedLeader({
      connection: connections.config('willcall feed leader'),
      clock,
      onMoved: ({ lagMs }) => {
        for (const ms of lagMs) metrics.feedLag.observe(ms / 1_000);
        this.schedulers.wake();
        this.stream.wake();
      },
      onError: onError('leader'),
    });
  }

  get loops() {
    return { 'feed leader': this.leader, 'ping schedulers': this.schedulers, 'ping stream': this.stream };
  }

  onApplicationBootstrap(): void {
    this.leader.start();
    this.schedulers.start();
    this.stream.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.leader.stop();
    await Promise.all([this.schedulers.stop(), this.stream.stop()]);
  }
}
