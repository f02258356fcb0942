import type { DueDelivery } from './webhook-ledger.js';

/** Deliveries that were read and not sent yet: at most one per order, and none of an order with a delivery in flight. */
export class DeliveryQueue {
  private waiting: DueDelivery[] = [];
  private readonly busy = new Set<string>();
  /** Orders that finished a delivery during a read. The read may have seen their old state. */
  private readonly possiblyStale = new Set<string>();
  private reading = false;

  get length(): number {
    return this.waiting.length;
  }

  /** Call this before reading the deliveries for `add`. */
  beginRead(): void {
    this.reading = true;
    this.possiblyStale.clear();
  }

  /** Returns false if some deliveries were possibly stale and must be read again. */
  add(due: readonly DueDelivery[]): boolean {
    this.reading = false;
    const free = due.filter(({ orderId }) => !this.busy.has(orderId));
    const sure = free.filter(({ orderId }) => !this.possiblyStale.has(orderId));
    for (const delivery of sure) this.busy.add(delivery.orderId);
    this.waiting.push(...sure);
    return sure.length === free.length;
  }

  /** Its order stays busy until `done`. */
  shift(): DueDelivery | undefined {
    return this.waiting.shift();
  }

  /** `next` is the order's next due delivery. */
  done(orderId: string, next: DueDelivery | undefined): void {
    if (next) return void this.waiting.unshift(next);
    this.busy.delete(orderId);
    if (this.reading) this.possiblyStale.add(orderId);
  }

  clear(): void {
    for (const { orderId } of this.waiting) this.busy.delete(orderId);
    this.waiting = [];
  }
}
