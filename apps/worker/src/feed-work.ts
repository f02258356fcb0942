import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#ambient/clock';
import { Settings } from '#config/settings';
import { connectionConfig } from '#database/pool';
import { FeedLeader } from '#event-store/feed-leader';
import { Subscription } from '#event-store/subscription';
import { faultFields, Logger } from '#operations/logger';
import { Metrics } from '#operations/metrics';
import { PingDoorbell } from '#pings/ping-doorbell';

/** Leads the feed, where no other worker does, and rings for the pings of what comes into it. */
@Injectable()
export class FeedWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly leader: FeedLeader;
  private readonly doorbells: Subscription;

  constructor(settings: Settings, clock: Clock, logger: Logger, metrics: Metrics, doorbell: PingDoorbell) {
    const connection = (applicationName: string) =>
      connectionConfig({ databaseUrl: settings.DATABASE_URL ?? '', applicationName });
    const onError = (part: string) => (fault: unknown) =>
      logger.warn({ part, ...faultFields(fault) }, 'the feed stumbled');
    this.doorbells = new Subscription({
      name: 'ping-doorbells',
      connection: connection('willcall ping doorbells'),
      handle: (events) => doorbell.ringFor(events),
      onError: onError('ping doorbells'),
    });
    this.leader = new FeedLeader({
      connection: connection('willcall feed leader'),
      clock,
      onMoved: ({ lagMs }) => {
        for (const ms of lagMs) metrics.feedLag.observe(ms / 1_000);
        this.doorbells.wake();
      },
      onError: onError('leader'),
    });
  }

  onApplicationBootstrap(): void {
    this.leader.start();
    this.doorbells.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.leader.stop();
    await this.doorbells.stop();
  }
}
