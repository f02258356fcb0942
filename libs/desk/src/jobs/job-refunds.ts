import type { JobPreview } from '../job.contract.js';
import { dollarsOf } from '#domain/money';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { isProvided } from '#domain/payment-state';
import type { RecordedEvent } from '#event-store/event';

type ByProvider = NonNullable<JobPreview['by_provider']>[number];
type Sum = { provider: string; day: string; count: number; cents: number };

/** The refunds that a job would ask for, by provider and by the day of the payment. */
export class JobRefunds {
  private readonly sums = new Map<string, Sum>();

  /** @returns how many cents of the order would go back by these events */
  add(order: Order, before: readonly RecordedEvent<OrderEvent>[], events: readonly OrderEvent[]): number {
    const cents = events.reduce(
      (sum, event) => sum + (event.type === 'RefundRequested' ? event.data.amount_cents : 0),
      0,
    );
    if (cents === 0 || !order.known || !isProvided(order.payment)) return 0;
    const paid = before.findLast(({ type }) => type === 'PaymentCaptured' || type === 'PaymentAuthorised');
    const { provider } = order.payment;
    const day = (paid?.recorded_at ?? order.updatedAt).slice(0, 10);
    const sum = this.sums.get(`${provider} ${day}`) ?? { provider, day, count: 0, cents: 0 };
    this.sums.set(`${provider} ${day}`, { ...sum, count: sum.count + 1, cents: sum.cents + cents });
    return cents;
  }

  shown(): ByProvider[] {
    const sorted = [...this.sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([, { cents, ...sum }]) => ({ ...sum, amount: dollarsOf(cents) }));
  }
}
