import type { DueDelivery } from './webhook-ledger.js';

/**
 * The deliveries of one endpoint that were read and are to be sent: of each order one at a time, and none of an order that
 * has one under way.
 */
export class DeliveryQueue {
  private waiting: DueDelivery[] = [];
  private readonly busy = new Set<string>();
  /** Orders that were done with while a read was under way, which may have seen them as they were before. */
  private readonly doubtful = new Set<string>();
  private reading = false;

  get length(): number {
    return this.waiting.length;
  }

  /** Call before what `add` gets is read. */
  beginRead(): void {
    this.reading = true;
    this.doubtful.clear();
  }

  /** Whether all of it was taken: what was not may have to be read again. */
  add(due: readonly DueDelivery[]): boolean {
    this.reading = false;
    const free = due.filter(({ orderId }) => !this.busy.has(orderId));
    const sure = free.filter(({ orderId }) => !this.doubtful.has(orderId));
    for (const delivery of sure) this.busy.add(delivery.orderId);
    this.waiting.push(...sure);
    return sure.length === free.length;
  }

  /** The next to send; its order stays busy until `done`. */
  shift(): DueDelivery | undefined {
    return this.waiting.shift();
  }

  /** A delivery of the order is done with; `next` is the order's next due one. */
  done(orderId: string, next: DueDelivery | undefined): void {
    if (next) return void this.waiting.unshift(next);
    this.busy.delete(orderId);
    if (this.reading) this.doubtful.add(orderId);
  }

  /** Forgets what was not sent yet. */
  clear(): void {
    for (const { orderId } of this.waiting) this.busy.delete(orderId);
    this.waiting = [];
  }
}
