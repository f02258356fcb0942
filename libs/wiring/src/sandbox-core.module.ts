import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { errorLog } from '#delivery/queues/error-log';
import { JobQueue } from '#delivery/queues/job-queue';
import { QueueBackend } from '#delivery/queues/queue-backend';
import type { ReadJob } from '#pings/sandbox/read-back';
import { ReceivedPings } from '#pings/sandbox/received-pings';
import { LazyCommitPool } from './foundation.module.js';

/** The queue whose jobs are pings that the sandbox platform reads the purchase of. */
export abstract class ReadQueue extends JobQueue<ReadJob> {}

const providers = [
  {
    provide: ReceivedPings,
    inject: [LazyCommitPool, Clock],
    useFactory: (pool: Pool, clock: Clock) => new ReceivedPings(pool, clock),
  },
  {
    provide: ReadQueue,
    inject: [QueueBackend],
    useFactory: (backend: QueueBackend) =>
      new JobQueue<ReadJob>('sandbox-reads', backend, errorLog('queue sandbox-reads')),
  },
];

/** What the built-in sandbox platform keeps, shared by the api that receives pings and the worker that reads purchases. */
@Module({ providers, exports: providers })
export class SandboxCoreModule implements OnApplicationShutdown {
  constructor(private readonly queue: ReadQueue) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}
