import type Stripe from 'stripe';
import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import {
  type CaptureRequest,
  type HeldPayment,
  PaymentProvider,
  type PaymentRequest,
  type PreparedPayment,
  type RefundRequest,
} from '../payment-provider.js';
import type { DisputeEvidence, ProviderEvent, ReceivedWebhook } from '../provider-events.js';
import { Authorisation } from './authorisation.js';
import { Captures } from './captures.js';
import { Disputes } from './disputes.js';
import { eventsAfter } from './events.js';
import { balanceLines, payouts } from './lists.js';
import { Refunds } from './refunds.js';
import { askEach } from './stripe-fault.js';
import { readWebhook } from './webhooks.js';

/** Payments by Stripe (https://docs.stripe.com/payments). A payment is a PaymentIntent that is captured by hand. */
export class StripeProvider extends PaymentProvider {
  readonly name = 'stripe';
  readonly takesCards = true;
  private readonly authorisation: Authorisation;
  private readonly captures: Captures;
  private readonly refunds: Refunds;
  private readonly disputes: Disputes;

  constructor(
    private readonly stripe: Stripe,
    private readonly webhookSecret: string,
    private readonly clock: Clock,
    randomness: Randomness,
  ) {
    super();
    this.authorisation = new Authorisation(stripe, randomness);
    this.captures = new Captures(stripe, clock);
    this.refunds = new Refunds(stripe, clock);
    this.disputes = new Disputes(stripe);
  }

  prepare(request: PaymentRequest, signal: AbortSignal) {
    return this.authorisation.prepare(request, signal);
  }

  authorise(prepared: PreparedPayment, request: PaymentRequest, signal: AbortSignal) {
    return this.authorisation.authorise(prepared, request, signal);
  }

  conclude(prepared: PreparedPayment) {
    return this.authorisation.conclude(prepared);
  }

  find(payment: HeldPayment) {
    return this.captures.find(payment);
  }

  capture(request: CaptureRequest) {
    return this.captures.capture(request);
  }

  void(payment: HeldPayment & Readonly<{ key: string }>) {
    return this.captures.void(payment);
  }

  refund(request: RefundRequest) {
    return this.refunds.refund(request);
  }

  findRefund(request: RefundRequest, reference: string | null) {
    return this.refunds.findRefund(request, reference);
  }

  sendEvidence(reference: string, evidence: DisputeEvidence, submit: boolean) {
    return this.disputes.sendEvidence(reference, evidence, submit);
  }

  acceptDispute(reference: string) {
    return this.disputes.acceptDispute(reference);
  }

  async readWebhook(webhook: ReceivedWebhook): Promise<ProviderEvent> {
    return readWebhook(this.stripe, { secret: this.webhookSecret, clock: this.clock }, webhook);
  }

  override events(after: string | null) {
    return askEach('reading events', eventsAfter(this.stripe, after));
  }

  balanceLines(from: string, to: string) {
    return askEach('reading the balance', balanceLines(this.stripe, from, to));
  }

  override payouts(from: string, to: string) {
    return askEach('reading payouts', payouts(this.stripe, from, to));
  }
}
