import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { PaymentOutcome } from '#domain/payments';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import type { Absent, Authorised, Declined } from '#payments/payment-provider';
import { PaymentProviders } from '#payments/payment-providers';
import { OrderChanges } from '../order-changes.js';

/** Asks the provider for the outcome of a payment that has none yet. */
export class CompletePayment extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly metadata: Metadata,
  ) {
    super();
  }
}

/**
 * The completer of design section 8. A payment that exists lets the order continue. Without one the order is rejected and its stock
 * released. If the provider is unreachable, the order becomes an exception that keeps its stock, and the handler throws so that the job
 * retries.
 */
@CommandHandler(CompletePayment)
export class CompletePaymentHandler implements ICommandHandler<CompletePayment> {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly providers: PaymentProviders,
  ) {}

  async execute({ orderId, metadata }: CompletePayment): Promise<void> {
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known || order.payment.is !== 'asked') return;
    try {
      await this.record(orderId, await this.outcome(orderId, order), metadata);
    } catch (error) {
      if (!(error instanceof ProviderUnreachable)) throw error;
      const reason = 'The payment provider did not answer whether the payment was taken.';
      await this.record(orderId, { is: 'unreachable', provider: error.provider, reason }, metadata);
      throw error;
    }
  }

  private async record(orderId: string, outcome: PaymentOutcome, metadata: Metadata): Promise<void> {
    await this.orders.apply(orderId, { type: 'RecordPaymentOutcome', outcome, platformWaits: false }, metadata);
  }

  private async outcome(orderId: string, { payment, purchase }: KnownOrder): Promise<PaymentOutcome> {
    const prepared = payment.is === 'asked' ? payment.prepared : undefined;
    const provider = prepared
      ? this.providers.named(prepared.provider)
      : this.providers.ofMethod(purchase.payment?.type ?? 'creditcard');
    // Without a preparation no money can have moved, unless the provider needs none: earlier versions recorded none.
    const known = prepared ? { orderId, ...prepared } : provider?.preparedAtOnce(orderId);
    if (!provider || !known) return { is: 'absent', provider: provider?.name ?? 'none', reason: NEVER_ASKED };
    const found = await provider.conclude(known).catch((cause: unknown) => {
      throw new ProviderUnreachable(provider.name, cause);
    });
    return outcomeOf(provider.name, found);
  }
}

const NEVER_ASKED = 'The payment provider was never asked for the payment.';

/** The provider did not answer. The cause goes to the log. */
class ProviderUnreachable extends Error {
  constructor(
    readonly provider: string,
    cause: unknown,
  ) {
    super('the payment provider gave no answer', { cause });
  }
}

export function outcomeOf(provider: string, answer: Authorised | Declined | Absent): PaymentOutcome {
  switch (answer.is) {
    case 'authorised':
      return { is: 'authorised', provider, ...heldOf(answer) };
    case 'declined':
      return { is: 'declined', provider, reason: answer.reason };
    case 'absent': {
      const reason = 'The payment provider knows of no such payment.';
      return { is: 'absent', provider, reason, ...(answer.held && { held: heldOf(answer.held) }) };
    }
  }
}

function heldOf({ reference, amountCents: amount_cents, captureBefore: capture_before }: Authorised) {
  return { reference, amount_cents, capture_before };
}
