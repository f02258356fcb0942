import { JobWorker } from '#delivery/queues/job-worker';
import type { QueueBackend } from '#delivery/queues/queue-backend';
import type { PingDelivery } from './ping-delivery.js';
import type { PingScheduler, PingJob } from './ping-scheduler.js';

export type ProcessorSettings = Readonly<{
  /** Orders whose pings are delivered at once. */
  concurrency: number;
  report: (fault: unknown) => void;
}>;

/** Works on the jobs of the queue `pings`: each is one order. */
export class PingProcessor {
  private readonly worker: JobWorker<PingJob>;

  constructor(
    backend: QueueBackend,
    private readonly delivery: PingDelivery,
    private readonly scheduler: PingScheduler,
    private readonly settings: ProcessorSettings,
  ) {
    const { concurrency, report } = settings;
    this.worker = new JobWorker(backend, { name: 'pings', process: (job) => this.process(job), concurrency, report });
  }

  start(): void {
    this.worker.start();
  }

  /** Finishes the orders in hand, for at most that long. */
  async stop(graceMs: number): Promise<void> {
    this.delivery.stop();
    await this.worker.stop(graceMs);
  }

  private async process({ orderId }: PingJob): Promise<void> {
    const again = await this.delivery.drain(orderId);
    // The sweep wakeups where this fails.
    if (again) await this.scheduler.schedule([again]).catch(this.settings.report);
  }
}
