import type { RefundRequest } from '../payment-provider.js';
import type { RefundOutcome } from '../provider-answers.js';
import { BraintreeFault, BraintreeRefusal } from './braintree-errors.js';
import { REFUND_BY_ID, REFUND_TRANSACTION } from './documents.js';
import type { GraphqlConnection } from './graphql-connection.js';
import {
  amountOf,
  centsOf,
  isTaken,
  isVoidedAfterCapture,
  type PaymentStatus,
  type Refund,
  type TransactionWithRefunds,
} from './payments.js';
import type { Settlement } from './settlement.js';

type FoundRefund = RefundOutcome | Readonly<{ is: 'absent' }>;

const NOT_SETTLED: RefundOutcome = { is: 'waiting', reason: 'not_settled' };
const CANNOT_REFUND_UNLESS_SETTLED = '91506';
const HAS_ALREADY_BEEN_REFUNDED = '91512';

// A void is no refund of Braintree's, so it has no id.
const VOID = 'void:';

/** The reference of a refund that was done by voiding the whole payment. */
export const voidOf = (transactionId: string): string => VOID + transactionId;

const UNDER_WAY: readonly PaymentStatus[] = [
  'AUTHORIZING',
  'AUTHORIZED',
  'SUBMITTED_FOR_SETTLEMENT',
  'SETTLEMENT_PENDING',
  'SETTLEMENT_CONFIRMED',
  'SETTLING',
];

/** What became of one of Braintree's refunds. */
export function refundOutcome({ id: reference, status }: Refund): Exclude<RefundOutcome, { is: 'waiting' }> {
  if (status === 'SETTLED') return { is: 'succeeded', reference };
  if (UNDER_WAY.includes(status)) return { is: 'pending', reference };
  return { is: 'failed', reference, reason: `Braintree: ${status}` };
}

/** Gives money back: voids a whole payment that has not settled, refunds what has. The order id of a refund is our id of it. */
export class Refunds {
  constructor(
    private readonly connection: GraphqlConnection,
    private readonly settlement: Settlement,
  ) {}

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    const { reference, isWhole, key } = request;
    const transaction = await this.#transaction(reference);
    // Asked for before each try: Braintree forgets its keys after 30 days.
    const done = refundIn(transaction, request);
    if (done.is !== 'absent') return done;
    if (!isTaken(transaction)) return { is: 'failed', reference: null, reason: `Braintree: ${transaction.status}` };
    const isUnsettled = transaction.status !== 'SETTLED' && transaction.status !== 'SETTLING';
    if (!isUnsettled) return await this.#sendOrAsk(request);
    const isAll = isWhole && request.amountCents === centsOf(transaction.amount);
    if (!isAll) return NOT_SETTLED;
    try {
      return await this.#reverse(reference, key);
    } catch (error) {
      if (!(error instanceof BraintreeRefusal) || error.isOfKey) throw error;
      return await this.#send(request).catch(failed);
    }
  }

  async find(request: RefundRequest, reference: string | null): Promise<FoundRefund> {
    if (reference === null || reference.startsWith(VOID)) {
      return refundIn(await this.#transaction(request.reference), request);
    }
    const { node } = await this.connection.ask<{ node: Refund | null }>(REFUND_BY_ID, { id: reference });
    return node ? refundOutcome(node) : { is: 'absent' };
  }

  async #transaction(reference: string): Promise<TransactionWithRefunds> {
    const transaction = await this.settlement.transaction(reference);
    if (!transaction) throw new BraintreeFault(`it knows no transaction ${reference}`, true);
    return transaction;
  }

  /** If it settles at this moment, Braintree refunds all of it instead. That refund does not have our id. */
  async #reverse(transactionId: string, key: string): Promise<RefundOutcome> {
    const reversal = await this.settlement.reverse(transactionId, `${key}-void`);
    if (reversal.__typename === 'Refund') return refundOutcome(reversal);
    if (reversal.status === 'VOIDED') return { is: 'succeeded', reference: voidOf(transactionId) };
    throw new BraintreeFault(`the void ended as ${reversal.status}`, false);
  }

  async #sendOrAsk(request: RefundRequest): Promise<RefundOutcome> {
    return await this.#send(request).catch((error: unknown) => {
      const isGone = request.isWhole && error instanceof BraintreeRefusal && error.has(HAS_ALREADY_BEEN_REFUNDED);
      // Perhaps by the void, whose answer was lost. Its key tells.
      return isGone ? this.#reverse(request.reference, request.key).catch(failed) : failed(error);
    });
  }

  async #send({ reference: transactionId, amountCents, refundId, key }: RefundRequest): Promise<RefundOutcome> {
    const refund = { amount: amountOf(amountCents), orderId: refundId };
    const { refundTransaction } = await this.connection.askOnce<{ refundTransaction: Readonly<{ refund: Refund }> }>(
      REFUND_TRANSACTION,
      { transactionId, apiRequestKey: key, refund },
    );
    return refundOutcome(refundTransaction.refund);
  }
}

/** What a refusal means. @throws what is none, or says nothing about the refund */
function failed(error: unknown): RefundOutcome {
  if (!(error instanceof BraintreeRefusal) || error.isOfKey) throw error;
  if (error.has(CANNOT_REFUND_UNLESS_SETTLED)) return NOT_SETTLED;
  return { is: 'failed', reference: null, reason: error.message };
}

/** The refund of this id among those of its payment, or the void that gave all of it back. */
function refundIn(transaction: TransactionWithRefunds, { refundId, isWhole }: RefundRequest): FoundRefund {
  const refund = transaction.refunds?.find(({ orderId }) => orderId === refundId);
  if (refund) return refundOutcome(refund);
  if (isWhole && isVoidedAfterCapture(transaction)) return { is: 'succeeded', reference: voidOf(transaction.id) };
  return { is: 'absent' };
}
