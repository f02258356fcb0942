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

/** Asks the provider for the money of a purchase whose stock is held, and records what it says. */
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
   * @throws PurchaseRefused when declined. Any fault leaves the purchase without an outcome, for the completer, unless
   * the provider says for certain that it took nothing: then the order is rejected at once and the ping tells it.
   */
  async take(orderId: string, received: Stream, purchase: PaymentPurchase, metadata: Metadata): Promise<Stream> {
    const request = { orderId, amountCents: purchase.total_cents, method: methodOf(purchase) };
    try {
      const answer = await this.provider.authorise(request, AbortSignal.timeout(this.settings.PAYMENT_TIMEOUT_MS));
      const after = await this.record(received, outcomeOf(this.provider.name, answer), metadata, true);
      const { status, payment } = this.known(after);
      // Where the completer was quicker, the purchase has become a rejected order, of which the platform is pinged.
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
      // The completer was quicker: what it recorded stands.
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
