import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock';
import type { BookedCharge, BookedRefund, ProviderBook } from '../provider-double.js';
import {
  type DisputeRecord,
  enter,
  globalId,
  type MethodRecord,
  type RefundRecord,
  shownAmount,
  type TransactionRecord,
} from './records.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOLD_MS = 7 * DAY_MS;

const TAKEN = ['SUBMITTED_FOR_SETTLEMENT', 'SETTLING', 'SETTLED'];

/** Everything that the double knows. */
export class BraintreeBook implements ProviderBook {
  readonly transactions: TransactionRecord[] = [];
  readonly refundRecords: RefundRecord[] = [];
  readonly disputes: DisputeRecord[] = [];
  readonly methods = new Map<string, MethodRecord>();

  constructor(
    private readonly clock: Clock,
    private readonly currency: string,
  ) {}

  charges(): readonly BookedCharge[] {
    return this.transactions.map(({ id, orderId, status, authorisedCents, refunds, ...transaction }) => ({
      reference: id,
      orderId,
      state: stateOf(status),
      authorisedCents,
      capturedCents: this.captured(id),
      refundedCents:
        status === 'VOIDED' && transaction.statusHistory.some((event) => event.status === 'SUBMITTED_FOR_SETTLEMENT')
          ? transaction.cents
          : refunds.filter((each) => each.status !== 'FAILED').reduce((sum, { cents }) => sum + cents, 0),
    }));
  }

  captured(reference: string): number {
    const { statusHistory, cents } = this.transaction(reference);
    return statusHistory.some(({ status }) => status === 'SUBMITTED_FOR_SETTLEMENT') ? cents : 0;
  }

  refunds(reference?: string): readonly BookedRefund[] {
    return this.refundRecords
      .filter(({ refundedTransaction }) => reference === undefined || refundedTransaction.id === reference)
      .map(({ id, orderId, status, cents, refundedTransaction }) => ({
        reference: id,
        payment: refundedTransaction.id,
        refundId: orderId === refundedTransaction.orderId ? null : orderId,
        state: status === 'SETTLED' ? 'succeeded' : status === 'FAILED' ? 'failed' : 'pending',
        amountCents: cents,
      }));
  }

  /** @throws if there is none */
  transaction(id: string): TransactionRecord {
    const found = this.transactions.find((each) => each.id === id);
    if (!found) throw new Error(`The double has no transaction ${id}.`);
    return found;
  }

  dispute(id: string): DisputeRecord {
    const found = this.disputes.find((each) => each.id === id);
    if (!found) throw new Error(`The double has no dispute ${id}.`);
    return found;
  }

  node(id: string): object | null {
    return [...this.transactions, ...this.refundRecords, ...this.disputes].find((each) => each.id === id) ?? null;
  }

  addTransaction(orderId: string | null, cents: number): TransactionRecord {
    const { currency } = this;
    const transaction: TransactionRecord = {
      __typename: 'Transaction',
      ...this.#ids('Transaction'),
      orderId,
      createdAt: this.now(),
      currency,
      cents,
      authorisedCents: cents,
      status: 'AUTHORIZING',
      statusHistory: [],
      refunds: [],
      get amount() {
        return shownAmount(this.cents, currency);
      },
    };
    this.transactions.push(transaction);
    return transaction;
  }

  hold(transaction: TransactionRecord): void {
    const authorizationExpiresAt = this.now(HOLD_MS);
    enter(transaction, 'AUTHORIZED', this.now(), { authorizationExpiresAt });
  }

  addRefund(refundedTransaction: TransactionRecord, cents: number, orderId: string | null): RefundRecord {
    const { currency } = this;
    const refund: RefundRecord = {
      __typename: 'Refund',
      ...this.#ids('Refund'),
      orderId,
      createdAt: this.now(),
      currency,
      cents,
      status: '',
      statusHistory: [],
      refundedTransaction,
      amount: shownAmount(cents, currency),
    };
    enter(refund, 'SUBMITTED_FOR_SETTLEMENT', this.now());
    refundedTransaction.refunds.push(refund);
    this.refundRecords.push(refund);
    return refund;
  }

  addDispute(transaction: TransactionRecord, type: DisputeRecord['type']): DisputeRecord {
    const dispute: DisputeRecord = {
      __typename: 'Dispute',
      ...this.#ids('Dispute'),
      type,
      createdAt: this.now(),
      replyByDate: this.now(HOLD_MS).slice(0, 10),
      transaction,
      evidence: [],
      statusHistory: [],
      amountDisputed: shownAmount(transaction.cents, this.currency),
      processorResponse: { reason: type === 'RETRIEVAL' ? 'RETRIEVAL' : 'FRAUD' },
      status: '',
    };
    this.disputes.push(dispute);
    this.enterDispute(dispute, 'OPEN');
    return dispute;
  }

  enterDispute(dispute: DisputeRecord, status: string): void {
    const timestamp = this.now();
    dispute.status = status;
    dispute.statusHistory.unshift({ status, timestamp, effectiveDate: timestamp.slice(0, 10) });
  }

  /** To the microsecond, as Braintree writes it. */
  now(plusMs = 0): string {
    return new Date(this.clock.now() + plusMs).toISOString().replace('Z', '000Z');
  }

  newId(): string {
    return randomBytes(6).toString('hex');
  }

  #ids(kind: string) {
    const legacyId = this.newId();
    return { id: globalId(kind, legacyId), legacyId };
  }
}

function stateOf(status: string): BookedCharge['state'] {
  if (TAKEN.includes(status)) return 'captured';
  if (status === 'AUTHORIZED') return 'authorised';
  return status === 'VOIDED' || status === 'AUTHORIZATION_EXPIRED' ? 'voided' : 'declined';
}
