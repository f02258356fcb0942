import { ApiKeys } from './api-keys.js';
import type { BraintreeBook } from './braintree-book.js';
import {
  type DisputeRecord,
  enter,
  type EvidenceRecord,
  type RefundRecord,
  refusal,
  type TransactionRecord,
} from './records.js';
import { heldOf, sandboxMethod, verdictOf } from './sandbox-values.js';

type Keyed = Readonly<{ apiRequestKey?: string | null }>;
type Address = Readonly<{ addressLine1?: string; postalCode?: string }>;
type CardInput = Readonly<{ number?: string; cvv?: string; billingAddress?: Address }>;
type OfTransaction = Keyed & Readonly<{ transactionId: string }>;
type Input<T> = Readonly<{ input: T }>;

const centsOf = (amount: string): number => Math.round(Number(amount) * 100);

const CONSUMED = '93107';
const UNKNOWN_METHOD = '93108';
const NUMBER_INVALID = '81715';
const CANNOT_SUBMIT = '91507';
const AMOUNT_TOO_LARGE = '91522';
const CANNOT_VOID = '91504';
const CANNOT_REFUND_UNLESS_SETTLED = '91506';
const ALREADY_REFUNDED = '91512';
const REFUND_TOO_LARGE = '91521';

/** What each mutation does to the book. `changed` hears of what webhooks tell. */
export class Mutations {
  readonly keys = new ApiKeys();

  constructor(
    private readonly book: BraintreeBook,
    private readonly changed: (dispute: DisputeRecord) => void,
  ) {}

  tokenizeCreditCard({ input }: Input<Readonly<{ creditCard: CardInput }>>) {
    const { number = '', cvv = '', billingAddress = {} } = input.creditCard;
    if (!/^\d{12,19}$/.test(number)) throw refusal('VALIDATION', NUMBER_INVALID, 'creditCard', 'number');
    const id = `tokencc_${this.book.newId()}`;
    const { postalCode = '', addressLine1: street = '' } = billingAddress;
    this.book.methods.set(id, { id, cvv, postalCode, street, isUsed: false });
    return { paymentMethod: { id, legacyId: id } };
  }

  authorizePaymentMethod({
    input,
  }: Input<
    Keyed & Readonly<{ paymentMethodId: string; transaction: Readonly<{ amount: string; orderId?: string }> }>
  >) {
    const transaction = this.keys.once(input, () => {
      const { paymentMethodId, transaction: asked } = input;
      const method = this.book.methods.get(paymentMethodId) ?? sandboxMethod(paymentMethodId);
      if (!method) throw refusal('VALIDATION', UNKNOWN_METHOD, 'paymentMethodId');
      if (method.isUsed) throw refusal('VALIDATION', CONSUMED, 'paymentMethodId');
      if (!paymentMethodId.startsWith('vaulted-')) method.isUsed = true;
      const cents = centsOf(asked.amount);
      const made = this.book.addTransaction(asked.orderId ?? null, cents);
      const verdict = verdictOf(method, cents);
      made.cents = heldOf(cents);
      if (verdict) enter(made, verdict.status, this.book.now(), verdict.details);
      else this.book.hold(made);
      return made;
    });
    return { transaction };
  }

  captureTransaction({ input }: Input<OfTransaction & Readonly<{ transaction?: Readonly<{ amount?: string }> }>>) {
    const transaction = this.keys.once(input, () => {
      const found = this.#transaction(input.transactionId);
      if (found.status !== 'AUTHORIZED') throw refusal('VALIDATION', CANNOT_SUBMIT, 'transactionId');
      const cents = input.transaction?.amount === undefined ? found.cents : centsOf(input.transaction.amount);
      if (cents > found.cents) throw refusal('VALIDATION', AMOUNT_TOO_LARGE, 'transaction', 'amount');
      found.cents = cents;
      enter(found, 'SUBMITTED_FOR_SETTLEMENT', this.book.now());
      return found;
    });
    return { transaction };
  }

  reverseTransaction({ input }: Input<OfTransaction>) {
    const reversal = this.keys.once<TransactionRecord | RefundRecord>(input, () => {
      const found = this.#transaction(input.transactionId);
      if (found.status === 'SETTLED') return this.#refund(found, found.cents, found.orderId);
      if (found.status !== 'AUTHORIZED' && found.status !== 'SUBMITTED_FOR_SETTLEMENT') {
        throw refusal('VALIDATION', CANNOT_VOID, 'transactionId');
      }
      enter(found, 'VOIDED', this.book.now());
      return found;
    });
    return { reversal };
  }

  refundTransaction({
    input,
  }: Input<OfTransaction & Readonly<{ refund?: Readonly<{ amount?: string; orderId?: string }> }>>) {
    const refund = this.keys.once(input, () => {
      const found = this.#transaction(input.transactionId);
      const { amount, orderId } = input.refund ?? {};
      return this.#refund(found, amount === undefined ? found.cents : centsOf(amount), orderId ?? found.orderId);
    });
    return { refund };
  }

  #refund(transaction: TransactionRecord, cents: number, orderId: string | null): RefundRecord {
    if (transaction.status !== 'SETTLED') throw refusal('VALIDATION', CANNOT_REFUND_UNLESS_SETTLED, 'transactionId');
    const given = transaction.refunds.filter(({ status }) => status !== 'FAILED');
    const left = transaction.cents - given.reduce((sum, each) => sum + each.cents, 0);
    if (left === 0) throw refusal('VALIDATION', ALREADY_REFUNDED, 'transactionId');
    if (cents > left) throw refusal('VALIDATION', REFUND_TOO_LARGE, 'refund', 'amount');
    return this.book.addRefund(transaction, cents, orderId);
  }

  sandboxSettleTransaction({ input }: Input<OfTransaction>) {
    const transaction = this.#transaction(input.transactionId);
    enter(transaction, 'SETTLED', this.book.now());
    return { transaction };
  }

  acceptDispute({ input }: Input<Readonly<{ disputeId: string }>>) {
    return { dispute: this.#answered(input.disputeId, 'ACCEPTED') };
  }

  finalizeDispute({ input }: Input<Readonly<{ disputeId: string }>>) {
    return { dispute: this.#answered(input.disputeId, 'DISPUTED') };
  }

  createDisputeTextEvidence({ input }: Input<Readonly<{ disputeId: string; category: string; content: string }>>) {
    const { category, content } = input;
    return this.#evidence(input.disputeId, { __typename: 'DisputeTextEvidence', category, content });
  }

  createDisputeFileEvidence(
    { input }: Input<Readonly<{ disputeId: string; category: string }>>,
    { file }: Readonly<{ file?: File }>,
  ) {
    if (!file) throw refusal('VALIDATION', undefined, 'file');
    const url = `https://files.example/${file.name}`;
    return this.#evidence(input.disputeId, { __typename: 'DisputeFileEvidence', category: input.category, url });
  }

  #evidence(disputeId: string, evidence: Omit<EvidenceRecord, 'id'>) {
    const made = { ...evidence, id: this.book.newId() };
    this.#open(disputeId).evidence.push(made);
    return { evidence: made };
  }

  #answered(id: string, status: string): DisputeRecord {
    const dispute = this.#open(id);
    this.book.enterDispute(dispute, status);
    this.changed(dispute);
    return dispute;
  }

  #open(id: string): DisputeRecord {
    const dispute = this.book.disputes.find((each) => each.id === id);
    if (!dispute) throw refusal('NOT_FOUND');
    if (dispute.status !== 'OPEN') throw refusal('VALIDATION', '95701', 'disputeId');
    return dispute;
  }

  #transaction(id: string): TransactionRecord {
    const found = this.book.transactions.find((each) => each.id === id);
    if (!found) throw refusal('NOT_FOUND');
    return found;
  }
}
