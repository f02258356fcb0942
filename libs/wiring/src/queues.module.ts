import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '#config/settings';
import type { PingJob } from '#pings/ping-scheduler';
import type { DueOrder } from '#orders/read-models/due-orders';
import { errorLog } from '#delivery/queues/error-log';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend, queueBackend } from '#delivery/queues/queue-backend';
import type { WebhookJob } from '#webhooks/webhook-scheduler';

/** The queue whose jobs are orders with pings to deliver. */
export abstract class PingQueue extends JobQueue<PingJob> {}

/** The queue whose jobs are webhooks with something to deliver. */
export abstract class WebhookQueue extends JobQueue<WebhookJob> {}

/** The queue whose jobs are orders that something has to be done about. */
export abstract class DeadlineQueue extends JobQueue<DueOrder> {}

const providers = [
  {
    provide: QueueBackend,
    inject: [Settings],
    useFactory: ({ REDIS_URL, DATABASE_URL = '' }: Settings) =>
      queueBackend({ redisUrl: REDIS_URL, databaseUrl: DATABASE_URL }),
  },
  {
    provide: PingQueue,
    inject: [QueueBackend],
    useFactory: (backend: QueueBackend) => new JobQueue<PingJob>('pings', backend, errorLog('queue pings')),
  },
  {
    provide: WebhookQueue,
    inject: [QueueBackend],
    useFactory: (backend: QueueBackend) => new JobQueue<WebhookJob>('webhooks', backend, errorLog('queue webhooks')),
  },
  {
    provide: DeadlineQueue,
    inject: [QueueBackend],
    useFactory: (backend: QueueBackend) => new JobQueue<DueOrder>('deadlines', backend, errorLog('queue deadlines')),
  },
];

/** The adding ends of the queues. Each connects with its first use. */
@Global()
@Module({ providers, exports: providers })
export class QueuesModule implements OnApplicationShutdown {
  constructor(
    private readonly pings: PingQueue,
    private readonly webhooks: WebhookQueue,
    private readonly deadlines: DeadlineQueue,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pings.close(), this.webhooks.close(), this.deadlines.close()]);
  }
}
