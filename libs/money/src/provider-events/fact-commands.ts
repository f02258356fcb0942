import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Ids } from '#base/ids';
import type { OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { ProviderRefundResult } from '#domain/refunds';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { OrderChanges } from '#orders/order-changes';
import { PaymentProviders } from '#payments/payment-providers';
import type { DisputeFact, PaymentFact, ProviderFact, RefundFact } from '#payments/provider-events';

/** `unknown`: try again later. `nothing`: there is nothing to record. */
export type Recorded =
  Readonly<{ is: 'recorded' | 'nothing'; orderId: string | null }> | Readonly<{ is: 'unknown'; why: string }>;

type OrderFact = PaymentFact | RefundFact | DisputeFact;
type NoFact = Extract<ProviderFact, { is: 'nothing' }>;

/** Turns what a provider says into commands of the order that it is about. */
@Injectable()
export class FactCommands {
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly providers: PaymentProviders,
    private readonly ids: Ids,
  ) {}

  async record(provider: string, fact: OrderFact | NoFact, metadata: Metadata): Promise<Recorded> {
    if (fact.is === 'nothing') return { is: 'nothing', orderId: null };
    const orderId = fact.orderId ?? (await this.orderWith(fact.payment));
    if (orderId === undefined) return { is: 'unknown', why: 'No order has this payment.' };
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known) return { is: 'unknown', why: 'There is no such order.' };
    if (!('reference' in order.payment)) return { is: 'unknown', why: 'The payment of the order is still open.' };
    const isSame = order.payment.provider === provider && order.payment.reference === fact.payment;
    if (!isSame) return { is: 'unknown', why: 'The order has another payment.' };
    const command = await this.commandFor(provider, fact, orderId, order);
    if (!command) return { is: 'nothing', orderId };
    await this.orders.apply(orderId, command, metadata);
    return { is: 'recorded', orderId };
  }

  private async orderWith(payment: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from orders where summary #>> '{payment,reference}' = $1`,
      [payment],
    );
    return rows[0]?.id;
  }

  private commandFor(
    provider: string,
    fact: OrderFact,
    orderId: string,
    order: KnownOrder,
  ): Promise<OrderCommand | undefined> | OrderCommand | undefined {
    switch (fact.is) {
      case 'payment':
        return this.stateOf(provider, fact, orderId, order);
      case 'refund':
        return refundCommand(fact, order, this.ids.next('rf'));
      case 'dispute':
        return { type: 'RecordDispute', disputeId: this.ids.next('dp'), dispute: disputeOf(fact) };
    }
  }

  /** Asked for, because the event may be late. */
  private async stateOf(
    name: string,
    { payment: reference }: PaymentFact,
    orderId: string,
    { payment, status }: KnownOrder,
  ): Promise<OrderCommand | undefined> {
    if (payment.is !== 'authorised') return undefined;
    const found = await this.providers.named(name).find({ orderId, reference });
    const refundId = this.ids.next('rf');
    if (found.is === 'captured') {
      const fee =
        found.fee && ({ reference: found.fee.reference, amount_cents: found.fee.amountCents, for: 'charge' } as const);
      return { type: 'RecordCapture', outcome: { is: 'captured', amount_cents: found.amountCents, fee }, refundId };
    }
    if (found.is === 'authorised') return undefined;
    if (status?.status === 'rejected') return { type: 'RecordPaymentRelease' };
    const reason = 'The provider does not hold the amount any more.';
    return { type: 'RecordCapture', outcome: { is: 'failed', reason, gone: true }, refundId };
  }
}

/** A refund with our id is the one that we asked for. Any other was made at the provider. */
function refundCommand(fact: RefundFact, { refunds }: KnownOrder, newId: string): OrderCommand {
  const { reference, refundId, amountCents } = fact;
  const result = resultOf(fact);
  const own = refunds.find((refund) => refund.id === refundId || refund.reference === reference);
  if (own) return { type: 'RecordRefund', refundId: own.id, result };
  return { type: 'RecordProviderRefund', refundId: newId, amountCents, result };
}

function resultOf({ outcome, reference, reason }: RefundFact): ProviderRefundResult {
  if (outcome === 'failed') return { is: 'failed', reference, reason: reason ?? 'The provider said no reason.' };
  return { is: outcome, reference };
}

function disputeOf({ reference, inquiry, state, reason, amountCents, currency, dueAt, fees }: DisputeFact) {
  const charged = fees.map((fee) => ({
    reference: fee.reference,
    amount_cents: fee.amountCents,
    for: 'dispute' as const,
  }));
  return { reference, inquiry, state, reason, amount_cents: amountCents, currency, due_at: dueAt, fees: charged };
}
