import type { OnApplicationShutdown } from '@nestjs/common';
import { errorLog } from '#operations/error-log';
import { withTimeout } from '#runtime/with-timeout';
import type { BullQueue, Opened, QueueBackend } from './queue-backend.js';

export type QueueName = 'pings' | 'webhooks' | 'deadlines' | 'sandbox-reads';

/**
 * A job to add. While a job with this id waits, is delayed or is being worked on, adding it again changes nothing.
 * The id must not contain ':' nor be a whole number; the data holds ids and no more.
 */
export type NewJob<Data> = Readonly<{ id: string; data: Data; delayMs?: number }>;

export type Depth = Readonly<{ waiting: number; active: number; delayed: number }>;

const ANSWER_WITHIN_MS = 5_000;

// One statement, or one pipeline of Redis, carries these: large enough to be cheap, small enough not to hold others up.
const JOBS_AT_ONCE = 500;

/**
 * The adding end of a queue. Connects with its first use, and fails soon when the server is away. Each feature provides a
 * subclass of its own, which Nest closes at shutdown.
 */
export class JobQueue<Data extends object> implements OnApplicationShutdown {
  private opened: Opened<BullQueue> | undefined;

  constructor(
    readonly name: QueueName,
    private readonly backend: QueueBackend,
    private readonly report: (fault: unknown) => void = errorLog(`queue ${name}`),
  ) {}

  async add(jobs: readonly NewJob<Data>[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += JOBS_AT_ONCE) {
      const some = jobs.slice(from, from + JOBS_AT_ONCE).map(({ id, data, delayMs = 0 }) => ({
        name: this.name,
        data,
        opts: { jobId: id, delay: Math.max(0, delayMs) },
      }));
      await this.call((queue) => queue.addBulk(some));
    }
  }

  async depth(): Promise<Depth> {
    const counts = await this.call((queue) => queue.getJobCounts('waiting', 'active', 'delayed'));
    return { waiting: counts['waiting'] ?? 0, active: counts['active'] ?? 0, delayed: counts['delayed'] ?? 0 };
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = undefined;
    if (!opened) return;
    await withTimeout(opened.bull.close(), ANSWER_WITHIN_MS, `closing queue ${this.name}`).catch(this.report);
    opened.disconnect();
  }

  private async call<T>(use: (queue: BullQueue) => Promise<T>): Promise<T> {
    const { bull } = (this.opened ??= this.open());
    const answer = bull.waitUntilReady().then(() => use(bull));
    return await withTimeout(answer, ANSWER_WITHIN_MS, `queue ${this.name}`);
  }

  private open(): Opened<BullQueue> {
    const opened = this.backend.openQueue(this.name);
    opened.bull.on('error', this.report);
    // BullMQ keeps a failed first connection for ever, so the next call has to start with a new one.
    opened.bull.waitUntilReady().catch(() => {
      if (this.opened === opened) void this.close();
    });
    return opened;
  }
}
