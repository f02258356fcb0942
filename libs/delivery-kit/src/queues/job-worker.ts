import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueName } from '../job-queue.js';
import type { BullWorker, QueueHandle, JobHandler, QueueBackend } from '../queue-backend.js';
import { withTimeout } from '#base/with-timeout';

export type JobWorkerOptions<Data> = Readonly<{
  name: QueueName;
  process: JobHandler<Data>;
  concurrency: number;
  onError: (error: unknown, job?: string) => void;
}>;

const TRY_AGAIN_AFTER_MS = 1_000;

const ACKNOWLEDGE_MS = 1_000;

/** Runs jobs from `start` to `stop` whenever the server is reachable. */
export class JobWorker<Data extends object> {
  private opened: QueueHandle<BullWorker> | undefined;
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly backend: QueueBackend,
    private readonly options: JobWorkerOptions<Data>,
  ) {}

  start(): void {
    void this.run();
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    await this.close(graceMs);
  }

  private async run(): Promise<void> {
    const { name, concurrency, onError } = this.options;
    while (!this.stopped) {
      this.opened = this.backend.openWorker(name, (data) => this.process(data as Data), concurrency);
      const { bull } = this.opened;
      bull.on('error', (error) => this.reportUnlessStopped(error));
      bull.on('failed', (job, error) => onError(error, job?.id));
      try {
        // BullMQ keeps a failed first connection forever, so a new worker must be created.
        await bull.waitUntilReady();
        await bull.run();
      } catch (error) {
        this.reportUnlessStopped(error);
        if (this.stopped) return;
        await this.close(TRY_AGAIN_AFTER_MS);
        await sleep(TRY_AGAIN_AFTER_MS);
      }
    }
  }

  /** A stop closes connections under what BullMQ has just begun. Failed jobs are still reported. */
  private reportUnlessStopped(error: unknown): void {
    if (!this.stopped) this.options.onError(error);
  }

  private async process(data: Data): Promise<void> {
    const work = this.options.process(data);
    this.running.add(work);
    try {
      await work;
    } finally {
      this.running.delete(work);
    }
  }

  private async close(graceMs: number): Promise<void> {
    const { name, onError } = this.options;
    if (!this.opened) return;
    // While Redis is unreachable BullMQ's close never ends. Then it is enough that the running jobs are done.
    const closed = Promise.race([this.opened.bull.close(), this.workDone()]);
    await withTimeout(closed, graceMs, `closing worker ${name}`).catch(onError);
    this.opened.disconnect();
  }

  private async workDone(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
    await sleep(ACKNOWLEDGE_MS);
  }
}
