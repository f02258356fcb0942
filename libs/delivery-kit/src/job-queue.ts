import type { OnApplicationShutdown } from '@nestjs/common';
import { errorLog } from '#platform/error-log';
import { withTimeout } from '#base/with-timeout';
import type { BullQueue, QueueHandle, QueueBackend } from './queue-backend.js';

export const QUEUE_NAMES = ['pings', 'webhooks', 'deadlines', 'payments', 'sandbox-reads', 'mails'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Ignored while a job with this id is waiting, delayed or running. BullMQ forbids ':' and integers as ids. The data holds ids only. */
export type NewJob<Data> = Readonly<{ id: string; data: Data; delayMs?: number }>;

// Longer than a job normally takes. A job can be lost while the queue still counts it as active, e.g. because the answer that handed
// it to a worker was lost with the connection. Until BullMQ notices after 15 s, no job with the same id can be added.
const RESCHEDULE_EVERY_MS = 5_000;

/** The id of a job that was due at `at`. It changes while the job is late. */
export function overdueJobId(id: string, at: number, now: number): string {
  const late = Math.floor((now - at) / RESCHEDULE_EVERY_MS);
  return late > 0 ? `${id}-${late}` : id;
}

export type QueueDepth = Readonly<{ waiting: number; active: number; delayed: number }>;

const ANSWER_WITHIN_MS = 5_000;

// Jobs per statement or Redis pipeline: enough to be cheap, few enough not to block other calls.
const JOBS_AT_ONCE = 500;

/** Connects with its first use. Fails soon if the server is unreachable. Each feature has a subclass, which Nest closes at shutdown. */
export class JobQueue<Data extends object> implements OnApplicationShutdown {
  private opened: QueueHandle<BullQueue> | undefined;

  constructor(
    readonly name: QueueName,
    private readonly backend: QueueBackend,
    private readonly onError: (error: unknown) => void = errorLog(`queue ${name}`),
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

  async depth(): Promise<QueueDepth> {
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
    await withTimeout(opened.bull.close(), ANSWER_WITHIN_MS, `closing queue ${this.name}`).catch(this.onError);
    opened.disconnect();
  }

  private async call<T>(use: (queue: BullQueue) => Promise<T>): Promise<T> {
    const { bull } = (this.opened ??= this.open());
    const answer = bull.waitUntilReady().then(() => use(bull));
    return await withTimeout(answer, ANSWER_WITHIN_MS, `queue ${this.name}`);
  }

  private open(): QueueHandle<BullQueue> {
    const opened = this.backend.openQueue(this.name);
    opened.bull.on('error', this.onError);
    // BullMQ keeps a failed first connection forever, so the next call must open a new one.
    opened.bull.waitUntilReady().catch(() => {
      if (this.opened === opened) void this.close();
    });
    return opened;
  }
}
