import { JobWorker } from '#delivery/queues/job-worker';
import type { QueueBackend } from '#delivery/queues/queue-backend';
import type { WebhookDelivery } from './webhook-delivery.js';
import type { WebhookScheduler, WebhookJob } from './webhook-scheduler.js';

export type ProcessorSettings = Readonly<{
  /** Endpoints that are delivered to at once. */
  concurrency: number;
  report: (fault: unknown) => void;
}>;

/** Works on the jobs of the queue `webhooks`: each is one endpoint. */
export class WebhookProcessor {
  private readonly worker: JobWorker<WebhookJob>;

  constructor(
    backend: QueueBackend,
    private readonly delivery: WebhookDelivery,
    private readonly scheduler: WebhookScheduler,
    private readonly settings: ProcessorSettings,
  ) {
    const { concurrency, report } = settings;
    const process = ({ webhookId }: WebhookJob) => this.process(webhookId);
    this.worker = new JobWorker(backend, { name: 'webhooks', process, concurrency, report });
  }

  start(): void {
    this.worker.start();
  }

  /** Finishes the deliveries in hand, for at most that long. */
  async stop(graceMs: number): Promise<void> {
    this.delivery.stop();
    await this.worker.stop(graceMs);
  }

  private async process(webhookId: string): Promise<void> {
    const again = await this.delivery.drain(webhookId);
    // The sweep wakeups where this fails.
    if (again) await this.scheduler.schedule([again]).catch(this.settings.report);
  }
}
