import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import type { OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import type { Metadata } from '#event-store/event';
import { EventStore, VersionConflict } from '#event-store/event-store';
import {
  type Authorised,
  type DeclineCode,
  type Declined,
  MethodRefused,
  type PaymentMethod,
  PaymentNotTaken,
  type PaymentProvider,
  type PaymentRequest,
  type PreparedPayment,
  ProviderUnavailable,
} from '#payments/payment-provider';
import { PaymentProviders } from '#payments/payment-providers';
import { HttpError } from '#web/http-error';
import { knownOrder, OrderRules, type OrderStream } from '../order-changes.js';
import type { PaymentPurchase } from '../purchase-request.contract.js';
import { outcomeOf } from './complete-payment.handler.js';
import { PurchaseError } from './purchase-error.js';

type RecordedPreparation = Readonly<{ provider: string; reference: string; key: string | null }>;

const RETRY_AFTER_SECONDS = '5';

/** What the buyer has to correct, in the words of the request. */
const FIELD_OF: Readonly<Record<DeclineCode, string>> = {
  40016: 'payment',
  40017: 'payment.data.card_number',
  40024: 'payment.data.zip',
  40035: 'payment.data.cvv',
  40038: 'payment.data.address1',
  40039: 'payment.data.expiry_month',
};

@Injectable()
export class PurchasePayment {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
    private readonly settings: Settings,
  ) {}

  /** The preparation that needs no call, with the provider's name. It is recorded with the purchase itself. */
  preparedAtOnce(orderId: string, type: PaymentMethod['type']): RecordedPreparation | undefined {
    const provider = this.providers.ofMethod(type);
    const prepared = provider?.preparedAtOnce(orderId);
    return provider && prepared && { provider: provider.name, reference: prepared.reference, key: prepared.key };
  }

  /**
   * @throws PurchaseError if the payment is declined; HttpError 503 if the provider could not be reached, and nothing is left of the purchase.
   * After any other error the completer finds the outcome. Only if the provider certainly took nothing, the order is rejected at once, and
   * the ping tells the platform.
   */
  async authorise(
    orderId: string,
    received: OrderStream,
    purchase: PaymentPurchase,
    metadata: Metadata,
  ): Promise<KnownOrder> {
    const provider = this.providers.ofMethod(purchase.payment.type);
    let stream = received;
    try {
      if (!provider) throw new ProviderUnavailable('Nobody takes payments of this type.');
      const request = this.requestFor(orderId, stream, purchase);
      const signal = AbortSignal.timeout(this.settings.PAYMENT_TIMEOUT_MS);
      const prepared = await this.prepared(provider, stream, request, signal);
      stream = await this.recordPrepared(stream, provider.name, prepared, metadata);
      const answer = await provider.authorise(prepared, request, signal);
      return await this.settled(orderId, provider, stream, answer, metadata);
    } catch (error) {
      if (!(error instanceof PaymentNotTaken)) throw error;
      if (provider && error instanceof MethodRefused) {
        return await this.settled(orderId, provider, stream, error.declined, metadata);
      }
      const isUnseen = error instanceof ProviderUnavailable;
      const outcome = { is: 'absent', provider: provider?.name ?? 'none', reason: error.message } as const;
      const order = await this.record(
        stream,
        { type: 'RecordPaymentOutcome', outcome, platformWaits: isUnseen },
        metadata,
      );
      if (!isUnseen || order.status !== null) throw error;
      throw HttpError.with(50300, 'the payment provider cannot be reached', { 'retry-after': RETRY_AFTER_SECONDS });
    }
  }

  private requestFor(orderId: string, { state }: OrderStream, purchase: PaymentPurchase): PaymentRequest {
    const currency = (state.known ? state.purchase.currency : undefined) ?? this.settings.CURRENCY;
    return { orderId, amountCents: purchase.total_cents, currency, method: methodOf(purchase) };
  }

  private async prepared(
    provider: PaymentProvider,
    { state }: OrderStream,
    request: PaymentRequest,
    signal: AbortSignal,
  ): Promise<PreparedPayment> {
    const known = state.known && state.payment.is === 'asked' ? state.payment.prepared : undefined;
    if (known) return { orderId: request.orderId, reference: known.reference, key: known.key };
    return await provider.prepare(request, signal).catch((cause: unknown) => {
      throw cause instanceof PaymentNotTaken
        ? cause
        : new ProviderUnavailable('The provider did not answer.', { cause });
    });
  }

  /** @throws VersionConflict if the completer has given the payment up: then the provider is not asked for it */
  private async recordPrepared(
    stream: OrderStream,
    provider: string,
    { reference, key }: PreparedPayment,
    metadata: Metadata,
  ): Promise<OrderStream> {
    const decided = this.rules.decide({ type: 'RecordPreparedPayment', provider, reference, key }, stream.state);
    if (decided instanceof Error) throw decided;
    return decided.length === 0 ? stream : await this.store.append(stream, decided, { metadata });
  }

  private async settled(
    orderId: string,
    provider: PaymentProvider,
    stream: OrderStream,
    answer: Authorised | Declined,
    metadata: Metadata,
  ): Promise<KnownOrder> {
    const outcome = outcomeOf(provider.name, answer);
    const order = await this.record(stream, { type: 'RecordPaymentOutcome', outcome, platformWaits: true }, metadata);
    // If the completer was faster, the order is already rejected, and a ping tells the platform.
    if (order.status === null) {
      const code = answer.is === 'declined' ? answer.code : 40016;
      throw new PurchaseError([{ code, field: FIELD_OF[code] }]);
    }
    if (answer.is === 'authorised' && order.payment.is === 'not_taken') {
      await provider.void({ orderId, reference: answer.reference, key: `${orderId}-void-1` });
    }
    return order;
  }

  private async record(stream: OrderStream, command: OrderCommand, metadata: Metadata): Promise<KnownOrder> {
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
