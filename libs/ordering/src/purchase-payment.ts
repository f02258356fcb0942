import { Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import type { PaymentPurchase } from '#contracts/checkout/validate-purchase';
import type { KnownOrder, PaymentOutcome } from '#domain/order/order';
import { fold } from '#event-store/decider';
import type { Metadata } from '#event-store/event';
import { EventStore, type Stream, VersionConflict } from '#event-store/event-store';
import { type PaymentMethod, PaymentNotTaken, PaymentProvider } from '#payments/payment-provider';
import { outcomeOf } from './complete-payment.handler.js';
import { OrderRules } from './order-changes.js';
import { PurchaseRefused } from './purchase-refused.js';

/** Charges a purchase whose stock is held, and records the provider's answer. */
@Injectable()
export class PurchasePayment {
  constructor(
    private readonly provider: PaymentProvider,
    private readonly store: EventStore,
    private readonly rules: OrderRules,
    private readonly settings: Settings,
  ) {}

  /**
   * @returns the order's stream with the payment and the opening status.
   * @throws PurchaseRefused when the payment is declined. After any other fault the completer finds the outcome later. Only when
   * the provider is certain that it took nothing is the order rejected at once, and the ping tells the platform.
   */
  async take(orderId: string, received: Stream, purchase: PaymentPurchase, metadata: Metadata): Promise<Stream> {
    const request = { orderId, amountCents: purchase.total_cents, method: methodOf(purchase) };
    try {
      const answer = await this.provider.authorise(request, AbortSignal.timeout(this.settings.PAYMENT_TIMEOUT_MS));
      const after = await this.record(received, outcomeOf(this.provider.name, answer), metadata, true);
      const { status, payment } = this.known(after);
      // If the completer was faster, the purchase is already a rejected order, and a ping tells the platform.
      if (status === null) throw new PurchaseRefused([{ code: 40016, field: 'payment' }]);
      if (answer.is === 'authorised' && payment.is === 'not_taken') {
        await this.provider.release(orderId, answer.reference);
      }
      return after;
    } catch (fault) {
      if (fault instanceof PaymentNotTaken) {
        const outcome = { is: 'absent', provider: this.provider.name, reason: fault.message } as const;
        await this.record(received, outcome, metadata, false);
      }
      throw fault;
    }
  }

  private known({ events }: Stream): KnownOrder {
    const order = fold(this.rules.decider, events);
    if (!order.known) throw new Error('A purchase that is paid for has been received.');
    return order;
  }

  private async record(
    stream: Stream,
    outcome: PaymentOutcome,
    metadata: Metadata,
    platformWaits: boolean,
  ): Promise<Stream> {
    const { decider } = this.rules;
    const command = { type: 'RecordPaymentOutcome', outcome, platformWaits } as const;
    const decided = decider.decide(command, fold(decider, stream.events));
    if (decided instanceof Error) throw decided;
    try {
      return await this.store.append(stream, decided, { metadata });
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      // The completer was faster, so its record counts.
      return (await this.store.handle(decider, stream.name, command, { metadata })).stream;
    }
  }
}

function methodOf({ payment }: PaymentPurchase): PaymentMethod {
  const { billing } = payment;
  return payment.type === 'creditcard'
    ? { type: payment.type, card: payment.card.reveal(), billing }
    : { type: payment.type, token: payment.token.reveal(), billing };
}
