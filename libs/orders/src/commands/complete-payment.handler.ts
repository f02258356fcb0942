import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PaymentOutcome } from '#domain/order';
import type { Metadata } from '#event-store/event';
import { PaymentProvider } from '../payments/payment-provider.js';
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
    private readonly orders: OrderChanges,
    private readonly provider: PaymentProvider,
  ) {}

  async execute({ orderId, metadata }: CompletePayment): Promise<void> {
    const { name: provider } = this.provider;
    try {
      await this.record(orderId, await this.find(orderId), metadata);
    } catch (error) {
      if (!(error instanceof ProviderUnreachable)) throw error;
      const reason = 'The payment provider did not answer whether the payment was taken.';
      await this.record(orderId, { is: 'unreachable', provider, reason }, metadata);
      throw error;
    }
  }

  private async record(orderId: string, outcome: PaymentOutcome, metadata: Metadata): Promise<void> {
    await this.orders.apply(orderId, { type: 'RecordPaymentOutcome', outcome, platformWaits: false }, metadata);
  }

  private async find(orderId: string): Promise<PaymentOutcome> {
    const found = await this.provider.find(orderId).catch((cause: unknown) => {
      throw new ProviderUnreachable(cause);
    });
    return outcomeOf(this.provider.name, found);
  }
}

/** The provider did not answer. The cause goes to the log. */
class ProviderUnreachable extends Error {
  constructor(cause: unknown) {
    super('the payment provider gave no answer', { cause });
  }
}

export function outcomeOf(provider: string, answer: Awaited<ReturnType<PaymentProvider['find']>>): PaymentOutcome {
  switch (answer.is) {
    case 'authorised':
      return { is: 'authorised', provider, reference: answer.reference, amount_cents: answer.amountCents };
    case 'declined':
      return { is: 'declined', provider, reason: answer.reason };
    case 'absent':
      return { is: 'absent', provider, reason: 'The payment provider knows of no such payment.' };
  }
}
