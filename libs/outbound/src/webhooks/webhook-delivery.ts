import type { JobProcessor } from '#delivery-kit/queue-task';
import type { WebhookJob } from './webhook-queue.js';
import type { Endpoint } from '../endpoint.js';
import { type DrainDependencies, EndpointDrain, type Wakeup } from './endpoint-drain.js';
import type { EndpointRecord } from './endpoint-record.js';
import { Receiver } from './receiver.js';
import type { ReceiverSettings } from './webhook-settings.js';
import type { Lease } from './webhook-ledger.js';

/** Each endpoint has one drain. */
export class WebhookDelivery implements JobProcessor<WebhookJob, Wakeup | undefined> {
  private readonly drains = new Map<string, EndpointDrain | undefined>();
  private stopping = false;

  constructor(
    private readonly dependencies: DrainDependencies,
    private readonly record: EndpointRecord,
    private readonly settings: ReceiverSettings,
  ) {}

  get count(): number {
    return this.drains.size;
  }

  /** Returns false if this process has no drain of the endpoint. */
  wake(webhookId: string): boolean {
    this.drains.get(webhookId)?.wake();
    return this.drains.has(webhookId);
  }

  wakeAll(): void {
    for (const drain of this.drains.values()) drain?.wake();
  }

  async process({ webhookId }: WebhookJob): Promise<Wakeup | undefined> {
    return await this.drain(webhookId);
  }

  async drain(webhookId: string): Promise<Wakeup | undefined> {
    if (this.wake(webhookId)) return undefined;
    this.drains.set(webhookId, undefined);
    try {
      return await this.drainAlone(webhookId);
    } finally {
      this.drains.delete(webhookId);
    }
  }

  stop(): void {
    this.stopping = true;
    for (const drain of this.drains.values()) drain?.stop();
  }

  private async drainAlone(webhookId: string): Promise<Wakeup | undefined> {
    const lease = await this.dependencies.ledger.take(webhookId);
    if (!lease) return undefined;
    const endpoint = await this.endpointOf(lease);
    if (!endpoint) return undefined;
    const drain = new EndpointDrain(this.dependencies, new Receiver(lease, endpoint, this.record, this.settings));
    this.drains.set(webhookId, drain);
    if (this.stopping) drain.stop();
    return await drain.run();
  }

  private async endpointOf(lease: Lease): Promise<Endpoint | undefined> {
    const { ledger } = this.dependencies;
    try {
      return await ledger.endpoint(lease.webhookId);
    } catch (error) {
      await ledger.releaseAfterError(lease);
      throw error;
    }
  }
}
