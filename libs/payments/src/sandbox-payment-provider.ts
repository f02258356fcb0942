import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { BatchedLookup } from '#database/batched-lookup';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { Clock } from '#base/clock';
import {
  type Absent,
  type Authorised,
  type CaptureOutcome,
  type CaptureRequest,
  type Declined,
  type HeldPayment,
  PaymentNotTaken,
  PaymentProvider,
  type PaymentRequest,
  type PreparedPayment,
  type ProviderPayment,
  type RefundRequest,
} from './payment-provider.js';
import type { RefundOutcome } from './provider-answers.js';
import { type ProviderEvent, WebhookRefused } from './provider-events.js';
import type { BalanceLine } from './provider-lists.js';
import { SandboxBook, type SandboxPayment } from './sandbox/sandbox-book.js';
import { sandboxCard } from './sandbox/sandbox-cards.js';
import { sandboxEvents, sandboxLines } from './sandbox/sandbox-lists.js';

const LATE_ANSWER_MS = 30_000;
const HELD_FOR_MS = 7 * 24 * 3_600_000;
const SHORT_HOLD_MS = 60_000;
const REFUND_FAILS_AFTER_MS = 10_000;

/** Takes no money. Stores in PostgreSQL what a real provider would store. */
@Injectable()
export class SandboxPaymentProvider extends PaymentProvider {
  readonly name = 'sandbox';
  readonly takesCards = true;
  override readonly limitsCalls = false;
  private readonly book: SandboxBook;
  private readonly authorisations = new BatchedLookup((payments: readonly SandboxPayment[]) => this.book.add(payments));
  private readonly captures = new BatchedLookup((requests: readonly CaptureRequest[]) => this.book.capture(requests));

  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    super();
    this.book = new SandboxBook(pool, clock);
  }

  override preparedAtOnce(orderId: string): PreparedPayment {
    return { orderId, reference: `sandbox_${orderId}`, key: null };
  }

  async prepare({ orderId }: PaymentRequest): Promise<PreparedPayment> {
    return this.preparedAtOnce(orderId);
  }

  async authorise(
    { orderId, reference }: PreparedPayment,
    { amountCents, currency, method }: PaymentRequest,
    signal: AbortSignal,
  ): Promise<Authorised | Declined> {
    const card = sandboxCard(method);
    if (card.is === 'fault') throw new PaymentNotTaken('The payment provider failed.');
    const plays = card.is === 'approved' ? (card.plays ?? null) : null;
    const state = card.is === 'declined' ? 'declined' : 'authorised';
    const created_at = this.clock.iso();
    const payment = { order_id: orderId, reference, amount_cents: amountCents, currency, plays, created_at };
    const known = await this.authorisations.find({ ...payment, state });
    // The payment is taken at once but the answer is late, so the completer has to find it.
    if (card.is === 'late') await wait(LATE_ANSWER_MS, undefined, { signal });
    if (card.is === 'declined') return { is: 'declined', reason: card.reason, code: card.code };
    if (known !== 'authorised') return { is: 'declined', reason: 'The payment was given up.', code: 40016 };
    return { is: 'authorised', reference, amountCents, captureBefore: holdEnd({ plays, created_at }) };
  }

  async conclude({ orderId, reference }: PreparedPayment): Promise<Authorised | Declined | Absent> {
    // Whatever comes later finds this row.
    await this.book.close(orderId, reference);
    const payment = await this.book.find(orderId);
    if (payment?.state === 'authorised') return authorised(payment);
    if (payment?.state === 'declined') return { is: 'declined', reason: 'declined by the sandbox', code: 40016 };
    return { is: 'absent' };
  }

  async find({ orderId }: HeldPayment): Promise<ProviderPayment> {
    const payment = await this.book.find(orderId);
    if (!payment || payment.state === 'declined') return { is: 'absent' };
    if (payment.captured_cents !== null) return { is: 'captured', amountCents: payment.captured_cents, fee: null };
    return this.isHeld(payment) ? authorised(payment) : { is: 'voided' };
  }

  async capture(request: CaptureRequest): Promise<CaptureOutcome> {
    const payment = await this.captures.find(request);
    if (!payment) return { is: 'failed', reason: 'The sandbox knows no such payment.', gone: true };
    if (payment.captured_cents !== null) return { is: 'captured', amountCents: payment.captured_cents, fee: null };
    if (payment.plays === 'capture_fails') return { is: 'failed', reason: 'the capture failed', gone: false };
    return { is: 'failed', reason: 'the hold has ended', gone: true };
  }

  async void({ orderId }: HeldPayment): Promise<'voided' | 'captured'> {
    return (await this.book.void(orderId)) ? 'voided' : 'captured';
  }

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    if (!(await this.book.refund(request, this.failedBefore())))
      throw new Error('The sandbox has no such money to give back.');
    return { is: 'succeeded', reference: refundReference(request.refundId) };
  }

  async findRefund({ refundId }: RefundRequest): Promise<RefundOutcome | { is: 'absent' }> {
    const refund = await this.book.findRefund(refundId);
    if (!refund) return { is: 'absent' };
    const reference = refundReference(refundId);
    const hasFailed =
      refund.plays === 'refund_fails' && refund.created_at.getTime() + REFUND_FAILS_AFTER_MS <= this.clock.now();
    return hasFailed
      ? { is: 'failed', reference, reason: 'the bank refused the refund' }
      : { is: 'succeeded', reference };
  }

  async sendEvidence(reference: string, _evidence: unknown, submit: boolean): Promise<void> {
    if (submit) await this.book.endDispute(reference, 'won');
  }

  async acceptDispute(reference: string): Promise<void> {
    await this.book.endDispute(reference, 'lost');
  }

  async readWebhook(): Promise<ProviderEvent> {
    throw new WebhookRefused('The sandbox sends no webhooks.');
  }

  override events(after: string | null): AsyncIterable<ProviderEvent> {
    return sandboxEvents(this.pool, after, this.failedBefore());
  }

  balanceLines(from: string, to: string): AsyncIterable<BalanceLine> {
    return sandboxLines(this.pool, from, to);
  }

  /** Payments that are held or were taken, and not released, for `willcall reconcile`. */
  charges(): AsyncIterable<HeldPayment> {
    return this.book.charges();
  }

  private failedBefore(): string {
    return new Date(this.clock.now() - REFUND_FAILS_AFTER_MS).toISOString();
  }

  private isHeld(payment: SandboxPayment): boolean {
    return payment.state === 'authorised' && Date.parse(holdEnd(payment)) > this.clock.now();
  }
}

function authorised(payment: SandboxPayment): Authorised {
  const { reference, amount_cents: amountCents } = payment;
  return { is: 'authorised', reference, amountCents, captureBefore: holdEnd(payment) };
}

function holdEnd({ plays, created_at }: Pick<SandboxPayment, 'plays' | 'created_at'>): string {
  return new Date(Date.parse(created_at) + (plays === 'hold_expires' ? SHORT_HOLD_MS : HELD_FOR_MS)).toISOString();
}

function refundReference(refundId: string): string {
  return `sandbox_${refundId}`;
}
