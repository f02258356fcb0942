import type { Endpoint } from './endpoint.js';
import { type DrainTools, EndpointDrain, type Wakeup } from './endpoint-drain.js';
import type { EndpointRecord } from './endpoint-record.js';
import { Receiver, type ReceiverSettings } from './receiver.js';
import type { Lease } from './webhook-ledger.js';

/** Delivers to endpoints, each by one drain at a time. */
export class WebhookDelivery {
  private readonly inHand = new Map<string, EndpointDrain | undefined>();
  private stopping = false;

  constructor(
    private readonly tools: DrainTools,
    private readonly record: EndpointRecord,
    private readonly settings: ReceiverSettings,
  ) {}

  /** Endpoints in hand. */
  get count(): number {
    return this.inHand.size;
  }

  /** Tells the drain of this endpoint that there may be something new; false when this process has none. */
  wake(webhookId: string): boolean {
    this.inHand.get(webhookId)?.wake();
    return this.inHand.has(webhookId);
  }

  /** Tells every drain of this process that there may be something new. */
  wakeAll(): void {
    for (const drain of this.inHand.values()) drain?.wake();
  }

  /** Sends what is due to the endpoint. When it is to be looked at again comes back. */
  async drain(webhookId: string): Promise<Wakeup | undefined> {
    if (this.wake(webhookId)) return undefined;
    this.inHand.set(webhookId, undefined);
    try {
      return await this.drainAlone(webhookId);
    } finally {
      this.inHand.delete(webhookId);
    }
  }

  /** Drains finish what they have under way, and no more. */
  stop(): void {
    this.stopping = true;
    for (const drain of this.inHand.values()) drain?.stop();
  }

  private async drainAlone(webhookId: string): Promise<Wakeup | undefined> {
    const lease = await this.tools.ledger.take(webhookId);
    if (!lease) return undefined;
    const endpoint = await this.endpointOf(lease);
    if (!endpoint) return undefined;
    const drain = new EndpointDrain(this.tools, new Receiver(lease, endpoint, this.record, this.settings));
    this.inHand.set(webhookId, drain);
    if (this.stopping) drain.stop();
    return await drain.run();
  }

  private async endpointOf(lease: Lease): Promise<Endpoint | undefined> {
    const { ledger } = this.tools;
    try {
      return await ledger.endpoint(lease.webhookId);
    } catch (fault) {
      await ledger.giveUp(lease);
      throw fault;
    }
  }
}
