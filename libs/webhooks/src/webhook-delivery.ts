import type { Endpoint } from './endpoint.js';
import { type DrainDependencies, EndpointDrain, type Wakeup } from './endpoint-drain.js';
import type { EndpointRecord } from './endpoint-record.js';
import { Receiver, type ReceiverSettings } from './receiver.js';
import type { Lease } from './webhook-ledger.js';

/** Delivers to endpoints, with one drain per endpoint. */
export class WebhookDelivery {
  private readonly drains = new Map<string, EndpointDrain | undefined>();
  private stopping = false;

  constructor(
    private readonly dependencies: DrainDependencies,
    private readonly record: EndpointRecord,
    private readonly settings: ReceiverSettings,
  ) {}

  /** The number of endpoints with a running drain. */
  get count(): number {
    return this.drains.size;
  }

  /** Wakes the drain of this endpoint. Returns false if this process has none. */
  wake(webhookId: string): boolean {
    this.drains.get(webhookId)?.wake();
    return this.drains.has(webhookId);
  }

  /** Wakes all drains of this process. */
  wakeAll(): void {
    for (const drain of this.drains.values()) drain?.wake();
  }

  /** Sends the due deliveries of the endpoint. Returns when it must be checked again. */
  async drain(webhookId: string): Promise<Wakeup | undefined> {
    if (this.wake(webhookId)) return undefined;
    this.drains.set(webhookId, undefined);
    try {
      return await this.drainAlone(webhookId);
    } finally {
      this.drains.delete(webhookId);
    }
  }

  /** Finishes the deliveries in flight and sends no more. */
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
