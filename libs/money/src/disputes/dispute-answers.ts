import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { decideDispute, type DisputeCommand } from '#domain/disputes';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventStore } from '#event-store/event-store';
import { EventNotes } from '#orders/event-notes';
import { noted } from '#orders/noted';
import type { PaymentProvider } from '#payments/payment-provider';
import { PaymentProviders } from '#payments/payment-providers';
import { HttpError, orNotFound } from '#web/http-error';
import type { Dispute, EvidenceToSend } from '../dispute.contract.js';
import { OrderEvidence } from './order-evidence.js';

type Answer = Extract<DisputeCommand, { type: 'SendEvidence' | 'AcceptDispute' }>;

/** A dispute of a card, as its provider knows it. */
type AtProvider = Readonly<{ reference: string; provider: PaymentProvider }>;

/**
 * Tells the provider what staff answer to a dispute of a card. It comes between a check and the record: a crash after the provider was told is
 * mended by the provider's own event.
 */
@Injectable()
export class DisputeAnswers {
  constructor(
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly providers: PaymentProviders,
    private readonly evidence: OrderEvidence,
    private readonly notes: EventNotes,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** With `submit` the evidence is final. @returns what is to be recorded then @throws DomainError if the dispute takes none */
  async sendEvidence(dispute: Dispute, { submit, note }: EvidenceToSend): Promise<Answer> {
    const command = { type: 'SendEvidence', disputeId: dispute.id, at: this.clock.iso(), ...noted(note) } as const;
    const { provider, reference } = await this.checked(dispute.order_id, command);
    await provider.sendEvidence(reference, await this.evidence.of(dispute), submit);
    return command;
  }

  /** @returns what is to be recorded @throws DomainError if it cannot be accepted */
  async accept(orderId: string, disputeId: string): Promise<Answer> {
    const command = { type: 'AcceptDispute', disputeId, at: this.clock.iso() } as const;
    const { provider, reference } = await this.checked(orderId, command);
    await provider.acceptDispute(reference);
    return command;
  }

  /** Whatever would be refused afterwards is refused here, texts included. */
  private async checked(orderId: string, command: Answer): Promise<AtProvider> {
    this.notes.admitted(command);
    const { state: order } = await this.store.read(orderStream(orderId));
    if (!order.known) throw HttpError.notFound('order');
    const decided = decideDispute(command, order);
    if (decided instanceof Error) throw decided;
    const dispute = order.disputes.find(({ dispute_id: id }) => id === command.disputeId);
    const { reference } = orNotFound(dispute, 'dispute');
    if (reference === null || !('reference' in order.payment)) throw new Error('A dispute of a card has a reference.');
    return { reference, provider: this.providers.named(order.payment.provider) };
  }
}
