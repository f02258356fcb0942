import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import type { PaymentPurchase } from '../purchase-request.contract.js';
import type { PaymentOutcome } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import type { Metadata } from '#event-store/event';
import { EventStore, VersionConflict } from '#event-store/event-store';
import { type PaymentMethod, PaymentNotTaken, PaymentProvider } from '../payments/payment-provider.js';
import { outcomeOf } from './complete-payment.handler.js';
import { knownOrder, OrderRules, type OrderStream } from '../order-changes.js';
import { PurchaseError } from './purchase-error.js';

@Injectable()
export class PurchasePayment {
  constructor(
    private readonly provider: PaymentProvider,
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
    private readonly settings: Settings,
  ) {}

  /**
   * @throws PurchaseError if the payment is declined. After any other error the completer finds the outcome. Only if the provider certainly
   * took nothing, the order is rejected at once, and the ping tells the platform.
   */
  async authorise(
    orderId: string,
    received: OrderStream,
    purchase: PaymentPurchase,
    metadata: Metadata,
  ): Promise<KnownOrder> {
    const request = { orderId, amountCents: purchase.total_cents, method: methodOf(purchase) };
    try {
      const answer = await this.provider.authorise(request, AbortSignal.timeout(this.settings.PAYMENT_TIMEOUT_MS));
      const order = await this.record(received, outcomeOf(this.provider.name, answer), metadata, true);
      // If the completer was faster, the order is already rejected, and a ping tells the platform.
      if (order.status === null) throw new PurchaseError([{ code: 40016, field: 'payment' }]);
      if (answer.is === 'authorised' && order.payment.is === 'not_taken') {
        await this.provider.release(orderId, answer.reference);
      }
      return order;
    } catch (error) {
      if (error instanceof PaymentNotTaken) {
        const outcome = { is: 'absent', provider: this.provider.name, reason: error.message } as const;
        await this.record(received, outcome, metadata, false);
      }
      throw error;
    }
  }

  private async record(
    stream: OrderStream,
    outcome: PaymentOutcome,
    metadata: Metadata,
    platformWaits: boolean,
  ): Promise<KnownOrder> {
    const command = { type: 'RecordPaymentOutcome', outcome, platformWaits } as const;
    const decide = (order: Order) => this.rules.decide(command, order);
    const decided = decide(stream.state);
    if (decided instanceof Error) throw decided;
    try {
      return knownOrder(await this.store.append(stream, decided, { metadata }));
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      // The completer was faster, so its record counts.
      return knownOrder((await this.store.handle(stream.name, decide, { metadata })).stream);
    }
  }
}

function methodOf({ payment }: PaymentPurchase): PaymentMethod {
  const { billing } = payment;
  return payment.type === 'creditcard'
    ? { type: payment.type, card: payment.card.reveal(), billing }
    : { type: payment.type, token: payment.token.reveal(), billing };
}
