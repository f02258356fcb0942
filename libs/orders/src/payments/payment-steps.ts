import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { DatabaseClock } from '#database/database-clock';
import type { OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { paymentAmounts } from '#domain/payment-amounts';
import { nextPaymentStep, type PaymentStep } from '#domain/payment-steps';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import type { CaptureOutcome, HeldPayment, PaymentProvider, RefundRequest } from '#payments/payment-provider';
import { OrderChanges } from '../order-changes.js';
import { isConfirmed } from './confirmed-payment.js';
import { RefundPace } from './refund-pace.js';
import { StepWaits } from './step-waits.js';

// A rejected order takes three: what came before, what goes back, and the refund.
const MOST_STEPS = 5;

type Held = Extract<KnownOrder['payment'], { reference: string }>;
type Step = Readonly<{
  orderId: string;
  order: KnownOrder;
  payment: Held;
  step: PaymentStep;
  provider: PaymentProvider;
}>;

/**
 * Moves the money of an order: captures, releases and refunds. The order's events say what is next. The provider is asked first and its answer
 * recorded then; after a crash between the two, the same key brings the same answer.
 */
@Injectable()
export class PaymentSteps {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly providers: RefundPace,
    private readonly ids: Ids,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Takes all steps that are due now. @throws StepWaits, or what the provider throws: nothing is known then, and the step is taken again */
  async run(orderId: string, metadata: Metadata): Promise<void> {
    let { state: order } = await this.store.read(orderStream(orderId));
    for (let steps = 0; steps < MOST_STEPS && order.known; steps += 1) {
      const step = nextPaymentStep(order);
      const { payment } = order;
      if (!step || !('reference' in payment) || Date.parse(step.at) > this.clock.now()) return;
      const provider = this.providers.named(payment.provider);
      const command = await this.take({ orderId, order, payment, step, provider });
      if (!command) return;
      ({ order } = await this.orders.apply(orderId, command, metadata));
    }
  }

  private async take(step: Step): Promise<OrderCommand | undefined> {
    const { orderId, payment, provider } = step;
    if (payment.claim !== undefined && !(await isConfirmed(provider, orderId, payment))) {
      return { type: 'RecordUnconfirmedPayment' };
    }
    switch (step.step.step) {
      case 'capture':
        return this.capture(step);
      case 'void':
        return this.release(step);
      case 'hold':
        return this.checkHold(step);
      case 'return':
        return { type: 'ReturnPayment', refundId: this.ids.next('rf') };
      case 'refund':
        return this.refund(step);
      case 'refund_outcome':
        return this.askAboutRefund(step);
    }
  }

  private async capture({ orderId, order, payment, step, provider }: Step): Promise<OrderCommand> {
    const { total_cents: amountCents } = order.purchase;
    const { reference, currency } = payment;
    const key = `${orderId}-capture-${step.n}`;
    return this.captured(await provider.capture({ orderId, reference, amountCents, currency, key }));
  }

  private captured(outcome: CaptureOutcome): OrderCommand {
    const refundId = this.ids.next('rf');
    if (outcome.is === 'failed') return { type: 'RecordCapture', outcome, refundId };
    const { amountCents: amount_cents, fee } = outcome;
    const charged = fee && ({ reference: fee.reference, amount_cents: fee.amountCents, for: 'charge' } as const);
    return { type: 'RecordCapture', outcome: { is: 'captured', amount_cents, fee: charged }, refundId };
  }

  private async release({ orderId, payment: { reference }, step, provider }: Step): Promise<OrderCommand> {
    const released = await provider.void({ orderId, reference, key: `${orderId}-void-${step.n}` });
    return released === 'voided' ? { type: 'RecordPaymentRelease' } : this.found(provider, { orderId, reference });
  }

  /** The time of the hold is over. */
  private checkHold({ orderId, payment: { reference }, provider }: Step): Promise<OrderCommand> {
    return this.found(provider, { orderId, reference });
  }

  private async found(provider: PaymentProvider, payment: HeldPayment): Promise<OrderCommand> {
    const found = await provider.find(payment);
    if (found.is === 'captured') return this.captured(found);
    if (found.is === 'authorised') throw new StepWaits('The provider still holds the payment.');
    return this.captured({ is: 'failed', reason: 'The provider does not hold the amount any more.', gone: true });
  }

  private async refund(step: Step): Promise<OrderCommand> {
    const request = refundRequest(step);
    const outcome = await this.providers.refund(step.provider, request);
    return { type: 'RecordRefund', refundId: request.refundId, result: outcome };
  }

  private async askAboutRefund(step: Step): Promise<OrderCommand> {
    const request = refundRequest(step);
    const outcome = await step.provider.findRefund(request, referenceOf(step));
    if (outcome.is === 'succeeded' || outcome.is === 'failed') {
      return { type: 'RecordRefund', refundId: request.refundId, result: outcome };
    }
    throw new StepWaits('The provider has not made the refund yet.');
  }
}

function refundRequest({ orderId, order, payment, step }: Step): RefundRequest {
  const refund = order.refunds.find(({ n }) => n === step.n);
  if (!refund) throw new Error(`${orderId} has no refund ${step.n}.`);
  const { id: refundId, amount_cents: amountCents, currency } = refund;
  const { captured, refunded } = paymentAmounts(order);
  const isWhole = refunded === 0 && amountCents === captured;
  const key = `${orderId}-refund-${step.n}`;
  return { orderId, reference: payment.reference, refundId, key, amountCents, currency, isWhole };
}

function referenceOf({ order, step }: Step): string | null {
  return order.refunds.find(({ n }) => n === step.n)?.reference ?? null;
}
