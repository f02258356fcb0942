import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { DatabaseClock } from '#database/database-clock';
import type { Metadata } from '#event-store/event';
import { noted } from '#orders/noted';
import { OrderChanges } from '#orders/order-changes';
import type { Dispute, DisputeClosing, NewDispute } from '../dispute.contract.js';
import { DisputeDesk } from './dispute-desk.js';

const DAY_MS = 24 * 3_600_000;

/**
 * No card network sets a time for these. The venue of a denied entry is asked while it still has its scans, so the buyer hears within a week.
 * A buyer whose sale was cancelled is owed an answer within the two weeks that consumer law gives for paying back.
 */
const DAYS_TO_SETTLE = { denied_entry: 7, cancelled_sale: 14 } as const;

/** Disputes as staff open and end them without a card network. What the rules refuse is a DomainError. */
@Injectable()
export class Disputes {
  constructor(
    private readonly orders: OrderChanges,
    private readonly desk: DisputeDesk,
    private readonly ids: Ids,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async open(orderId: string, { kind, note }: NewDispute, metadata: Metadata): Promise<Dispute> {
    const disputeId = this.ids.next('dp');
    const dueAt = new Date(this.clock.now() + DAYS_TO_SETTLE[kind] * DAY_MS).toISOString();
    await this.orders.apply(orderId, { type: 'OpenDispute', disputeId, kind, dueAt, ...noted(note) }, metadata);
    return await this.desk.one(disputeId);
  }

  /** @throws HttpError 404 if there is no such dispute */
  async close(disputeId: string, { state, note }: DisputeClosing, metadata: Metadata): Promise<Dispute> {
    const { order_id: orderId } = await this.desk.one(disputeId);
    await this.orders.apply(orderId, { type: 'CloseDispute', disputeId, state, ...noted(note) }, metadata);
    return await this.desk.one(disputeId);
  }
}
