import { Injectable } from '@nestjs/common';
import type { Caller } from '#accounts/caller';
import { Ids } from '#base/ids';
import { domainError } from '#domain/domain-error';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { needsApproval, type RefundAsked, type RefundCommand, refundPreview } from '#domain/refunds';
import type { Metadata } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { EventNotes } from '#orders/event-notes';
import { OrderChanges } from '#orders/order-changes';
import { HttpError, orNotFound } from '#web/http-error';
import type { Refund, RefundPreview } from '../refund.contract.js';
import { RefundApproval } from './refund-approval.js';
import { shownPreview, shownRefund } from './refund-view.js';

type By = Readonly<{ caller: Caller; metadata: Metadata }>;
type Answer = Readonly<{ type: 'ApproveRefund' | 'DeclineRefund'; refundId: string; note?: string }>;

/** Refunds as staff ask for them. What the rules of money refuse is a DomainError. */
@Injectable()
export class Refunds {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly orders: OrderChanges,
    private readonly notes: EventNotes,
    private readonly approval: RefundApproval,
    private readonly ids: Ids,
  ) {}

  /** In the order in which they were asked for. @throws HttpError 404 if there is no such order */
  async list(orderId: string, caller: Caller): Promise<Refund[]> {
    const { state, events } = await this.store.read(orderStream(orderId));
    if (!state.known) throw HttpError.notFound('order');
    const notes = await this.notes.ofStream(events);
    return state.refunds.map((refund) => shownRefund(refund, notes, caller));
  }

  /** What asking would take and from whom. Changes nothing. @throws HttpError 404 if there is no such order */
  async preview(orderId: string, asked: RefundAsked, caller: Caller): Promise<RefundPreview> {
    const order = await this.known(orderId);
    const share = refundPreview(order, asked);
    if (share instanceof Error) throw share;
    const waits = needsApproval(order, share.amount_cents, this.approval.fromCents(caller));
    return shownPreview(order, share, waits);
  }

  /** Asks for a new refund. */
  async request(
    orderId: string,
    { asked, note }: Readonly<{ asked: RefundAsked; note?: string }>,
    { caller, metadata }: By,
  ): Promise<Refund> {
    const refundId = this.ids.next('rf');
    const by = { requestedBy: caller.actor, approvalFromCents: this.approval.fromCents(caller) };
    const command = { type: 'RequestRefund', refundId, asked, ...by, ...(note !== undefined && { note }) } as const;
    return await this.apply(orderId, command, { caller, metadata });
  }

  /** @throws HttpError 403 if the caller cannot approve it, 404 if there is no such refund */
  async answer(orderId: string, answer: Answer, { caller, metadata }: By): Promise<Refund> {
    const { refunds } = await this.known(orderId);
    const refund = orNotFound(
      refunds.find(({ id }) => id === answer.refundId),
      'refund',
    );
    if (refund.state !== 'waiting_for_approval') throw domainError('CONFLICT', 'The refund does not wait.');
    if (answer.type === 'ApproveRefund') await this.approval.check(refund.requested_by, caller);
    return await this.apply(orderId, { ...answer, by: caller.actor }, { caller, metadata });
  }

  private async apply(
    orderId: string,
    command: Extract<RefundCommand, { type: 'RequestRefund' | Answer['type'] }>,
    { caller, metadata }: By,
  ): Promise<Refund> {
    await this.orders.apply(orderId, command, metadata);
    const shown = (await this.list(orderId, caller)).find(({ id }) => id === command.refundId);
    if (!shown) throw new Error('The refund was recorded, and its order does not have it.');
    return shown;
  }

  private async known(orderId: string): Promise<KnownOrder> {
    const { state } = await this.store.read(orderStream(orderId));
    if (!state.known) throw HttpError.notFound('order');
    return state;
  }
}
