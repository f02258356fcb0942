import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#runtime/clock';
import { PlatformReads } from '#pings/repair/platform-reads';
import { PurchaseQueries } from '#orders/read-models/purchase-queries';
import { errorLog } from '#delivery/queues/error-log';
import { Repeater } from '#runtime/repeater';
import { PurchaseView } from './purchase-view.js';

// Some thousand reads are one statement then; the drift report is as old.
const WRITE_EVERY_MS = 2_000;

/** Purchases as the platform reads them, and a note of what it has seen. */
@Injectable()
export class PurchaseReading implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly writing: Repeater;

  constructor(
    private readonly purchases: PurchaseQueries,
    private readonly view: PurchaseView,
    private readonly reads: PlatformReads,
    private readonly clock: Clock,
  ) {
    this.writing = new Repeater(() => reads.flush(), WRITE_EVERY_MS, errorLog('platform reads'));
  }

  /** As JSON text. Undefined when it is not the client's, or there is none. */
  async read(clientId: string, orderId: string): Promise<string | undefined> {
    const kept = await this.purchases.find(clientId, orderId);
    if (!kept) return undefined;
    const text = this.view.ofKept(orderId, kept);
    this.reads.note(orderId, kept.version, this.clock.now());
    return text;
  }

  onApplicationBootstrap(): void {
    this.writing.start();
  }

  /** Once the last read has been answered; the pool is closed after it. */
  async onApplicationShutdown(): Promise<void> {
    await this.writing.stop();
    await this.reads.flush().catch(errorLog('platform reads'));
  }
}
