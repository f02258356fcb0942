import type { Provider } from '@nestjs/common';
import { Settings } from '#config/settings';
import type { PingJob } from '#pings/ping-doorbell';
import { faultLog } from '#queues/fault-log';
import { JobQueue } from '#queues/job-queue';
import { QueueBackend, queueBackend } from '#queues/queue-backend';
import type { DeadlineJob } from './deadlines.js';

/** The queue whose jobs are orders with pings to deliver. */
export abstract class PingQueue extends JobQueue<PingJob> {}

/** The queue whose jobs are orders that something has to be done about. */
export abstract class DeadlineQueue extends JobQueue<DeadlineJob> {}

export const queueProviders: Provider[] = [
  {
    provide: QueueBackend,
    inject: [Settings],
    useFactory: ({ REDIS_URL, DATABASE_URL = '' }: Settings) =>
      queueBackend({ redisUrl: REDIS_URL, databaseUrl: DATABASE_URL }),
  },
  {
    provide: PingQueue,
    inject: [QueueBackend],
    useFactory: (backend: QueueBackend) => new JobQueue<PingJob>('pings', backend, faultLog('queue pings')),
  },
  {
    provide: DeadlineQueue,
    inject: [QueueBackend],
    useFactory: (backend: QueueBackend) => new JobQueue<DeadlineJob>('deadlines', backend, faultLog('queue deadlines')),
  },
];
