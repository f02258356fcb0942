import { Injectable } from '@nestjs/common';
import { PurchaseQueries } from '../read-models/purchase-queries.js';
import { PlatformReads } from '#outbound/platform-reads';
import { Clock } from '#base/clock';
import { PurchaseView } from './purchase-view.js';

/** Serves purchases to the platform and records what it has read. */
@Injectable()
export class PurchaseReading {
  constructor(
    private readonly purchases: PurchaseQueries,
    private readonly view: PurchaseView,
    private readonly reads: PlatformReads,
    private readonly clock: Clock,
  ) {}

  /** JSON text; undefined if there is no such purchase of this client. */
  async read(clientId: string, orderId: string): Promise<string | undefined> {
    const stored = await this.purchases.find(clientId, orderId);
    if (!stored) return undefined;
    const text = this.view.ofStored(orderId, stored);
    this.reads.note(orderId, stored.version, this.clock.now());
    return text;
  }
}
