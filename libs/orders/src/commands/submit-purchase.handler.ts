import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { afterWrite } from '#database/database-errors';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { Metadata } from '#event-store/event';
import { EpochConflict, EventStore, ProjectionConflict } from '#event-store/event-store';
import { knownOrder, OrderRules, type OrderStream } from '../order-changes.js';
import { type CheckedPurchase, PurchaseCheck } from '../purchase-check.js';
import { type PurchaseDraft, ScreenedDrafts } from '../purchase-drafts.js';
import { duplicatePurchase, PurchaseError } from './purchase-error.js';
import type { Submission } from '../purchase-keys.js';
import { PURCHASE_KEYS } from '../purchase-keys.projection.js';
import { PurchasePayment } from './purchase-payment.js';
import { SubmitPurchase, type SubmittedPurchase } from './submit-purchase.js';

// Each further attempt reads the listing again. Only a price or stock that keeps changing uses up all attempts.
const MAX_ATTEMPTS = 10;

@CommandHandler(SubmitPurchase)
export class SubmitPurchaseHandler implements ICommandHandler<SubmitPurchase> {
  constructor(
    private readonly check: PurchaseCheck,
    private readonly drafts: ScreenedDrafts,
    private readonly payment: PurchasePayment,
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly rules: OrderRules,
  ) {}

  async execute({ variant, body, submission }: SubmitPurchase): Promise<SubmittedPurchase> {
    const metadata = { transaction_id: submission.transaction.id, actor: `platform:${submission.clientId}` };
    for (let attempt = 1; ; attempt += 1) {
      const checked = await this.check.check(variant, body, submission);
      const { draft, received } = await this.recorded(checked, submission, metadata);
      if (received) {
        this.check.warnOfCardData(draft, metadata.transaction_id);
        return this.settled(checked, draft, received, metadata);
      }
      this.check.staleListing(checked);
      if (attempt === MAX_ATTEMPTS) {
        const changing = { code: 40011, field: 'product.quantity' } as const;
        throw await this.check.rejection(changing, draft.received.ref_id, submission);
      }
    }
  }

  private async recorded(
    checked: CheckedPurchase,
    submission: Submission,
    metadata: Metadata,
  ): Promise<{ draft: PurchaseDraft; received: OrderStream | undefined }> {
    try {
      const draft = await this.drafts.draft(checked, submission);
      return { draft, received: await this.receive(checked, draft, metadata) };
    } finally {
      this.check.done(checked);
    }
  }

  /** Undefined if the listing or the epoch has changed since it was read. Then nothing was written. */
  private async receive(
    { purchase }: CheckedPurchase,
    { orderId, received, screening, attachments }: PurchaseDraft,
    metadata: Metadata,
  ): Promise<OrderStream | undefined> {
    const stream = this.store.fresh(orderStream(orderId));
    const prepared =
      purchase.variant === 'payment' ? this.payment.preparedAtOnce(orderId, purchase.payment.type) : undefined;
    const screened = { ...(screening && { screening }), ...(prepared && { prepared }) };
    const command = { type: 'ReceivePurchase', purchase: received, ...screened } as const;
    const decided = this.rules.decide(command, stream.state);
    if (decided instanceof Error) throw decided;
    try {
      return await this.store.append(stream, decided, { metadata, attachments });
    } catch (error) {
      if (error instanceof EpochConflict) return undefined;
      if (!(error instanceof ProjectionConflict)) throw error;
      if (error.projection === PURCHASE_KEYS) throw new PurchaseError([duplicatePurchase(received.ref_id)]);
      return undefined;
    }
  }

  private async settled(
    { purchase }: CheckedPurchase,
    { orderId }: PurchaseDraft,
    received: OrderStream,
    metadata: Metadata,
  ): Promise<SubmittedPurchase> {
    const { market_specific_fields: marketFields } = purchase;
    const { state } = received;
    if (purchase.variant === 'wholesale') return { orderId, order: knownOrder(received), delivery: {}, marketFields };
    // A fraud rule has rejected it.
    const isOver = state.known && state.status !== null;
    const { data: delivery } = purchase.delivery_method;
    if (isOver) return { orderId, order: state, delivery, marketFields };
    const order = await afterWrite(() => this.payment.authorise(orderId, received, purchase, metadata));
    return { orderId, order, delivery, marketFields };
  }
}
