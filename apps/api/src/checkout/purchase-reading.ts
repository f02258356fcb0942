import { Injectable } from '@nestjs/common';
import { PurchaseQueries } from '#orders/read-models/purchase-queries';
import { PlatformReads } from '#pings/repair/platform-reads';
import { Clock } from '#runtime/clock';
import { PurchaseView } from './purchase-view.js';

/** Purchases as the platform reads them, and a note of what it has seen. */
@Injectable()
export class PurchaseReading {
  constructor(
    private readonly purchases: PurchaseQueries,
    private readonly view: PurchaseView,
    private readonly reads: PlatformReads,
    private readonly clock: Clock,
  ) {}

  /** As JSON text. Undefined when it is not the client's, or there is none. */
  async read(clientId: string, orderId: string): Promise<string | undefined> {
    const kept = await this.purchases.find(clientId, orderId);
    if (!kept) return undefined;
    const text = this.view.ofKept(orderId, kept);
    this.reads.note(orderId, kept.version, this.clock.now());
    return text;
  }
}
