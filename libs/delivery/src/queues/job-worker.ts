import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueName } from './job-queue.js';
import type { BullWorker, Opened, Process, QueueBackend } from './queue-backend.js';
import { withTimeout } from '#runtime/with-timeout';

export type JobWorkerOptions<Data> = Readonly<{
  name: QueueName;
  process: Process<Data>;
  /** Jobs in hand at once. */
  concurrency: number;
  report: (fault: unknown) => void;
}>;

const TRY_AGAIN_AFTER_MS = 1_000;

// Telling the server that a job is done takes milliseconds, unless the server is away.
const LAST_WORD_MS = 1_000;

/** The working end of a queue: from `start` on it takes jobs whenever its server can be reached, until `stop`. */
export class JobWorker<Data extends object> {
  private opened: Opened<BullWorker> | undefined;
  private readonly inHand = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly backend: QueueBackend,
    private readonly options: JobWorkerOptions<Data>,
  ) {}

  start(): void {
    void this.run();
  }

  /** Takes no more jobs and waits for those in hand, at most that long. */
  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    await this.close(graceMs);
  }

  private async run(): Promise<void> {
    const { name, concurrency, report } = this.options;
    while (!this.stopped) {
      this.opened = this.backend.openWorker(name, (data) => this.process(data as Data), concurrency);
      const { bull } = this.opened;
      bull.on('error', report);
      bull.on('failed', (_job, fault) => report(fault));
      try {
        // BullMQ keeps a failed first connection for ever: such a worker is given up and made anew.
        await bull.waitUntilReady();
        await bull.run();
      } catch (fault) {
        report(fault);
        await this.close(TRY_AGAIN_AFTER_MS);
        await sleep(TRY_AGAIN_AFTER_MS);
      }
    }
  }

  private async process(data: Data): Promise<void> {
    const work = this.options.process(data);
    this.inHand.add(work);
    try {
      await work;
    } finally {
      this.inHand.delete(work);
    }
  }

  private async close(graceMs: number): Promise<void> {
    const { name, report } = this.options;
    if (!this.opened) return;
    // While Redis is away BullMQ's close never ends: then it is enough that the work in hand is done.
    const closed = Promise.race([this.opened.bull.close(), this.workDone()]);
    await withTimeout(closed, graceMs, `closing worker ${name}`).catch(report);
    this.opened.disconnect();
  }

  private async workDone(): Promise<void> {
    while (this.inHand.size > 0) await Promise.allSettled(this.inHand);
    await sleep(LAST_WORD_MS);
  }
}
