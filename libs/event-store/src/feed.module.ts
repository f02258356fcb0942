import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '#platform/metrics';
import { EventLog } from './event-log.js';
import { FeedBacklog } from './feed-backlog.js';
import { KeyedLogModule } from './keyed-log.js';

@Injectable()
class FeedGauge implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly backlog: FeedBacklog,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'willcall_feed_backlog_seconds',
      'Age of the oldest event that is not in the feed yet',
      undefined,
      async () => ({ value: (await this.backlog.oldestMs()) / 1_000 }),
    );
  }
}

@Module({ imports: [KeyedLogModule], providers: [EventLog, FeedBacklog, FeedGauge], exports: [EventLog] })
export class FeedModule {}
