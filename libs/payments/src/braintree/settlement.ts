import type { Captured, CaptureOutcome, CaptureRequest, HeldPayment, ProviderPayment } from '../payment-provider.js';
import { BraintreeFault, BraintreeRefusal } from './braintree-errors.js';
import { CAPTURE, REVERSE, TRANSACTION_BY_ID } from './documents.js';
import type { GraphqlConnection } from './graphql-connection.js';
import {
  amountOf,
  captureBefore,
  centsOf,
  isTaken,
  type Refund,
  type Transaction,
  type TransactionWithRefunds,
} from './payments.js';

/** What `reverseTransaction` made of a transaction: voided it, or refunded all of it because it had settled. */
export type Reversal =
  (Transaction & Readonly<{ __typename: 'Transaction' }>) | (Refund & Readonly<{ __typename: 'Refund' }>);

/** What becomes of a payment that was authorised. */
export class Settlement {
  constructor(private readonly connection: GraphqlConnection) {}

  async transaction(reference: string): Promise<TransactionWithRefunds | undefined> {
    const { node } = await this.connection
      .ask<{ node: TransactionWithRefunds | Readonly<{ id?: never }> | null }>(TRANSACTION_BY_ID, { id: reference })
      .catch((error: unknown) => {
        if (error instanceof BraintreeRefusal && error.isNotFound) return { node: null };
        throw error;
      });
    return node && node.id !== undefined ? node : undefined;
  }

  async find({ reference }: HeldPayment): Promise<ProviderPayment> {
    const transaction = await this.transaction(reference);
    if (!transaction) return { is: 'absent' };
    if (isTaken(transaction)) return captured(transaction);
    const { status, amount } = transaction;
    if (status === 'AUTHORIZING') throw new BraintreeFault('the bank has not answered yet', false);
    if (status !== 'AUTHORIZED') return { is: 'voided' };
    return { is: 'authorised', reference, amountCents: centsOf(amount), captureBefore: captureBefore(transaction) };
  }

  async capture(request: CaptureRequest): Promise<CaptureOutcome> {
    const { reference: transactionId, amountCents, key } = request;
    const input = { transactionId, apiRequestKey: key, transaction: { amount: amountOf(amountCents) } };
    try {
      const { captureTransaction } = await this.connection.askOnce<{
        captureTransaction: Readonly<{ transaction: Transaction }>;
      }>(CAPTURE, input);
      const { transaction } = captureTransaction;
      if (isTaken(transaction)) return captured(transaction);
      return { is: 'failed', reason: `Braintree: ${transaction.status}`, gone: transaction.status !== 'AUTHORIZED' };
    } catch (error) {
      if (!(error instanceof BraintreeRefusal)) throw error;
      return await this.#whyNot(request, error);
    }
  }

  /** A transaction is captured once: a refusal may mean that it was. */
  async #whyNot(request: CaptureRequest, refusal: BraintreeRefusal): Promise<CaptureOutcome> {
    const found = await this.find(request);
    if (found.is === 'captured') return found;
    if (found.is === 'authorised' && refusal.isOfKey) throw new BraintreeFault('the capture is still at work', false);
    return { is: 'failed', reason: refusal.message, gone: found.is !== 'authorised' };
  }

  /** Asks for the state first, because `reverseTransaction` would give back what was captured. */
  async void({ orderId, reference, key }: HeldPayment & Readonly<{ key: string }>): Promise<'voided' | 'captured'> {
    const before = await this.find({ orderId, reference });
    if (before.is === 'absent') throw new BraintreeFault(`it knows no transaction ${reference}`, true);
    if (before.is !== 'authorised') return before.is;
    try {
      const reversal = await this.reverse(reference, key);
      if (reversal.status === 'VOIDED') return 'voided';
      throw new BraintreeFault(`the release ended as ${reversal.status}`, false);
    } catch (error) {
      if (!(error instanceof BraintreeRefusal)) throw error;
      const after = await this.find({ orderId, reference });
      if (after.is === 'voided' || after.is === 'captured') return after.is;
      throw error;
    }
  }

  async reverse(transactionId: string, apiRequestKey: string): Promise<Reversal> {
    const { reverseTransaction } = await this.connection.askOnce<{
      reverseTransaction: Readonly<{ reversal: Reversal }>;
    }>(REVERSE, { transactionId, apiRequestKey });
    return reverseTransaction.reversal;
  }
}

/** Braintree does not tell its fee by transaction. */
const captured = ({ amount }: Transaction): Captured => ({ is: 'captured', amountCents: centsOf(amount), fee: null });
