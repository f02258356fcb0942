import type { Clock } from '#base/clock';
import type { BookedCharge, BookedRefund, ProviderBook } from '../provider-double.js';
import { chargeObject, disputeObject, intentObject, payoutObject, refundObject } from './objects.js';
import type {
  DisputeRecord,
  EventRecord,
  FileRecord,
  IntentRecord,
  LineRecord,
  Metadata,
  MethodRecord,
  PayoutRecord,
  RefundRecord,
} from './records.js';
import { StripeDoubleError } from './stripe-error.js';
import { DISPUTED_CARD, FAILING_REFUND_CARD } from './test-cards.js';

const DAY_S = 86_400;
const HELD_S = 7 * DAY_S;
const ANSWERED_WITHIN_S = 14 * DAY_S;
const FEE_RATE = 0.029;
const FEE_CENTS = 30;
const DISPUTE_FEE_CENTS = 1_500;

const STATES = {
  requires_payment_method: 'prepared',
  requires_action: 'prepared',
  requires_capture: 'authorised',
  succeeded: 'captured',
  canceled: 'voided',
} as const;

/** The books of Stripe: what exists, what it costs, and what events say of it. */
export class StripeBook implements ProviderBook {
  readonly intents = new Map<string, IntentRecord>();
  readonly methods = new Map<string, MethodRecord>();
  readonly refundRecords: RefundRecord[] = [];
  readonly disputes: DisputeRecord[] = [];
  readonly lines: LineRecord[] = [];
  readonly payouts: PayoutRecord[] = [];
  readonly files: FileRecord[] = [];
  readonly events: EventRecord[] = [];
  /** What may be paid out or given back. */
  balance = 100_000_000;
  /** Leaves the bank's question open, although the request said that nobody can answer it. */
  asksBuyers = false;
  #count = 0;

  constructor(private readonly clock: Clock) {}

  charges(): readonly BookedCharge[] {
    return [...this.intents.values()].map((intent) => ({
      reference: intent.id,
      orderId: intent.metadata.order_id ?? null,
      state: intent.status === 'requires_payment_method' && intent.error ? 'declined' : STATES[intent.status],
      authorisedCents: intent.charge ? intent.amount : 0,
      capturedCents: intent.received,
      refundedCents: intent.charge?.refunded ?? 0,
    }));
  }

  captured(reference: string): number {
    return this.intent(reference).received;
  }

  refunds(reference?: string): readonly BookedRefund[] {
    return this.refundRecords
      .filter(({ intent }) => reference === undefined || intent.id === reference)
      .map(({ id, intent, metadata, status, amount }) => ({
        reference: id,
        payment: intent.id,
        refundId: metadata.refund_id ?? null,
        state: status,
        amountCents: amount,
      }));
  }

  intent(id: string): IntentRecord {
    return this.intents.get(id) ?? fail(StripeDoubleError.missing('intent', id));
  }

  dispute(id: string): DisputeRecord {
    return this.disputes.find((each) => each.id === id) ?? fail(StripeDoubleError.missing('dispute', id));
  }

  prepare(fields: Pick<IntentRecord, 'amount' | 'currency' | 'customer' | 'description' | 'metadata'>): IntentRecord {
    const intent: IntentRecord = {
      id: this.id('pi'),
      ...fields,
      created: this.now(),
      status: 'requires_payment_method',
      received: 0,
      method: null,
      canceledAt: null,
      error: null,
      charge: null,
    };
    this.intents.set(intent.id, intent);
    return intent;
  }

  decline(intent: IntentRecord, error: NonNullable<IntentRecord['error']>): void {
    intent.error = error;
    this.say('payment_intent.payment_failed', intentObject(intent));
  }

  authorise(intent: IntentRecord, method: MethodRecord): void {
    const created = this.now();
    const captureBefore = created + HELD_S;
    const state = { captured: false, refunded: 0, disputed: false, line: null };
    intent.charge = { id: this.id('ch'), intent, method, created, captureBefore, ...state };
    intent.method = method.id;
    intent.error = null;
    intent.status = 'requires_capture';
    this.say('payment_intent.amount_capturable_updated', intentObject(intent));
  }

  capture(intent: IntentRecord, amount: number): void {
    const { charge } = intent;
    if (!charge || intent.status !== 'requires_capture') throw unexpected(intent);
    if (amount > intent.amount) throw StripeDoubleError.refused('amount_too_large', 'Too much.', 'amount_to_capture');
    intent.received = amount;
    intent.status = 'succeeded';
    charge.captured = true;
    const fee = Math.round(amount * FEE_RATE) + FEE_CENTS;
    charge.line = this.line({ type: 'charge', amount, fee, source: { object: 'charge', record: charge } });
    this.say('charge.captured', chargeObject(charge));
    this.say('payment_intent.succeeded', intentObject(intent));
    if (charge.method.number === DISPUTED_CARD) this.openDispute(intent, false);
  }

  cancel(intent: IntentRecord): void {
    if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected(intent);
    intent.status = 'canceled';
    intent.canceledAt = this.now();
    this.say('payment_intent.canceled', intentObject(intent));
  }

  refund(intent: IntentRecord, amount: number, metadata: Metadata): RefundRecord {
    const { charge } = intent;
    if (!charge?.captured) throw StripeDoubleError.refused('charge_not_refundable', 'Nothing was captured.');
    if (charge.disputed) throw StripeDoubleError.refused('charge_disputed', 'The charge has been charged back.');
    const left = intent.received - charge.refunded;
    if (left === 0) throw StripeDoubleError.refused('charge_already_refunded', 'Already refunded.');
    if (amount > left) throw StripeDoubleError.refused('amount_too_large', 'More than is left.', 'amount');
    if (amount > this.balance) throw StripeDoubleError.refused('balance_insufficient', 'Insufficient funds.');
    charge.refunded += amount;
    const status = charge.method.number === FAILING_REFUND_CARD ? 'pending' : 'succeeded';
    const made = { id: this.id('re'), intent, amount, created: this.now(), metadata, failure: null, line: null };
    const refund: RefundRecord = { ...made, status };
    refund.line = this.line({ type: 'refund', amount: -amount, fee: 0, source: { object: 'refund', record: refund } });
    this.refundRecords.push(refund);
    this.say('refund.created', refundObject(refund));
    this.say('charge.refunded', chargeObject(charge));
    return refund;
  }

  failRefund(refund: RefundRecord): void {
    refund.status = 'failed';
    refund.failure = 'expired_or_canceled_card';
    if (refund.intent.charge) refund.intent.charge.refunded -= refund.amount;
    this.line({ type: 'refund_failure', amount: refund.amount, fee: 0, source: { object: 'refund', record: refund } });
    this.say('refund.failed', refundObject(refund));
  }

  openDispute(intent: IntentRecord, inquiry: boolean, types: DisputeRecord['types'] = []): DisputeRecord {
    const created = this.now();
    const status = inquiry ? 'warning_needs_response' : 'needs_response';
    const made = { created, dueBy: created + ANSWERED_WITHIN_S, lines: [], evidence: {}, submissions: 0, types };
    const dispute: DisputeRecord = { id: this.id('dp'), intent, status, ...made };
    this.disputes.push(dispute);
    if (!inquiry) this.withdraw(dispute);
    this.say('charge.dispute.created', disputeObject(dispute));
    return dispute;
  }

  closeDispute(dispute: DisputeRecord, status: 'won' | 'lost' | 'warning_closed' | 'prevented'): void {
    const { intent, lines } = dispute;
    dispute.status = status;
    if (status !== 'lost' && intent.charge?.disputed) {
      intent.charge.disputed = false;
      lines.push(this.disputeLine(dispute, intent.received, 0));
      this.say('charge.dispute.funds_reinstated', disputeObject(dispute));
    }
    this.say('charge.dispute.closed', disputeObject(dispute));
  }

  changed(dispute: DisputeRecord): void {
    this.say('charge.dispute.updated', disputeObject(dispute));
  }

  payOut(amount: number, currency: string): PayoutRecord {
    const payout: PayoutRecord = {
      id: this.id('po'),
      amount,
      currency,
      created: this.now(),
      status: 'pending',
      line: null,
    };
    payout.line = this.line({ type: 'payout', amount: -amount, fee: 0, source: { object: 'payout', record: payout } });
    this.payouts.push(payout);
    this.say('payout.created', payoutObject(payout));
    return payout;
  }

  arrive(payout: PayoutRecord): void {
    payout.status = 'paid';
    this.say('payout.paid', payoutObject(payout));
  }

  id(prefix: string): string {
    this.#count += 1;
    return `${prefix}_${this.#count.toString(36).padStart(24, '0')}`;
  }

  now(): number {
    return Math.floor(this.clock.now() / 1_000);
  }

  private withdraw(dispute: DisputeRecord): void {
    const { intent } = dispute;
    if (intent.charge) intent.charge.disputed = true;
    dispute.lines.push(this.disputeLine(dispute, -intent.received, DISPUTE_FEE_CENTS));
    this.say('charge.dispute.funds_withdrawn', disputeObject(dispute));
  }

  private disputeLine(dispute: DisputeRecord, amount: number, fee: number): LineRecord {
    return this.line({ type: 'adjustment', amount, fee, source: { object: 'dispute', record: dispute } });
  }

  private line(fields: Omit<LineRecord, 'id' | 'created' | 'currency'>): LineRecord {
    const line = { id: this.id('txn'), ...fields, currency: currencyOf(fields), created: this.now() };
    this.balance += line.amount - line.fee;
    this.lines.push(line);
    return line;
  }

  private say(type: string, object: object): void {
    this.events.push({ id: this.id('evt'), type, created: this.now(), object: structuredClone(object) });
  }
}

function currencyOf({ source }: Pick<LineRecord, 'source'>): string {
  if (!source) return 'usd';
  return source.object === 'payout' ? source.record.currency : source.record.intent.currency;
}

const unexpected = ({ status }: IntentRecord) =>
  StripeDoubleError.refused('payment_intent_unexpected_state', `It has a status of ${status}.`);

function fail(error: Error): never {
  throw error;
}
