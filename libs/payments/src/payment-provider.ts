import type { ProviderFee, RefundOutcome } from './provider-answers.js';
import type { DisputeEvidence, ProviderEvent, ReceivedWebhook } from './provider-events.js';
import type { BalanceLine, ProviderPayout } from './provider-lists.js';

/** Exists in memory only. Never logged, stored, queued or put into an error. */
export type CardData = Readonly<{ number: string; expiryMonth: number; expiryYear: number; cvv: string }>;

type BillingAddress = Readonly<Record<string, string>>;

export type PaymentMethod =
  | Readonly<{ type: 'creditcard'; card: CardData; billing: BillingAddress }>
  | Readonly<{ type: 'providera_token' | 'providerb_token'; token: string; billing: BillingAddress }>;

/** Minor units of `currency`, an ISO 4217 code with two decimals. */
type Money = Readonly<{ amountCents: number; currency: string }>;

export type PaymentRequest = Money & Readonly<{ orderId: string; method: PaymentMethod }>;

/**
 * What the provider made before any money could move, kept in the order's events. With it the outcome can be asked for, whatever happened in
 * between. `key`: that under which the provider authorises once, for providers that need one.
 */
export type PreparedPayment = Readonly<{ orderId: string; reference: string; key: string | null }>;

/** `captureBefore`: when the hold ends by itself, ISO 8601. Null if it does not, or if nobody knows. */
export type Authorised = Readonly<{
  is: 'authorised';
  /** The provider's id of the payment from now on. */
  reference: string;
  amountCents: number;
  captureBefore: string | null;
}>;

/** Nothing was taken. `held`: what only the question itself has brought about. Release it once that is recorded. */
export type Absent = Readonly<{ is: 'absent'; held?: Authorised }>;

/** The codes of the checkout specification that a provider can cause. */
export type DeclineCode = 40016 | 40017 | 40024 | 40035 | 40038 | 40039;

/** `reason` is for staff. It has nothing of the card. */
export type Declined = Readonly<{ is: 'declined'; reason: string; code: DeclineCode }>;

/** A payment that was authorised. */
export type HeldPayment = Readonly<{ orderId: string; reference: string }>;

/** `amountCents`: what was captured, without refunds taken off. */
export type Captured = Readonly<{ is: 'captured'; amountCents: number; fee: ProviderFee | null }>;

/** What a payment is by the provider's own book. `voided`: released or expired. */
export type ProviderPayment = Authorised | Captured | Readonly<{ is: 'voided' | 'absent' }>;

/** `gone`: nothing is held any more, so no later try can succeed. */
export type CaptureOutcome = Captured | Readonly<{ is: 'failed'; reason: string; gone: boolean }>;

export type CaptureRequest = HeldPayment & Money & Readonly<{ key: string }>;

export type RefundRequest = HeldPayment &
  Money &
  Readonly<{
    /** Ours; the provider keeps it with the refund, so that its events lead back to it. */
    refundId: string;
    key: string;
    /** The whole captured amount of the payment, from which nothing has gone back. A provider that has not settled it may void it. */
    isWhole: boolean;
  }>;

/** The provider failed and certainly took nothing. After any other error, money may have moved. */
export class PaymentNotTaken extends Error {}

/** It refused the card or the token before a payment could be prepared. */
export class MethodRefused extends PaymentNotTaken {
  constructor(readonly declined: Declined) {
    super(declined.reason);
  }
}

/** It could not be reached, or refused to serve us, before it did anything: nobody needs to know of the payment. */
export class ProviderUnavailable extends PaymentNotTaken {}

/**
 * A payment provider. An error says nothing about whether money moved. Each step has a key, so a repeated call does nothing twice; a provider
 * that forgets its keys is asked what it knows before it is told again. A real provider extends this class; the rest of Willcall only knows
 * this file.
 */
export abstract class PaymentProvider {
  /** Stored with each payment, so that later steps go to the right provider. */
  abstract readonly name: string;

  /** Whether it may get card numbers. Others take tokens alone. */
  abstract readonly takesCards: boolean;

  /** Whether it limits its calls, so that refunds are asked for no faster than `REFUNDS_PER_SECOND`. */
  readonly limitsCalls: boolean = true;

  /** The preparation, where the provider needs no call for it. It is then recorded with the purchase itself. */
  preparedAtOnce(_orderId: string): PreparedPayment | undefined {
    return undefined;
  }

  /**
   * Makes the payment known to the provider. Moves no money, whatever it throws. `signal` ends the wait.
   * @throws MethodRefused; anything else means that the provider could not be reached
   */
  abstract prepare(request: PaymentRequest, signal: AbortSignal): Promise<PreparedPayment>;

  /**
   * Holds the amount. `signal` ends the wait, but not necessarily the payment: afterwards only `conclude` knows.
   * @throws PaymentNotTaken, or ProviderUnavailable, if certainly nothing was taken
   */
  abstract authorise(
    prepared: PreparedPayment,
    request: PaymentRequest,
    signal: AbortSignal,
  ): Promise<Authorised | Declined>;

  /**
   * What became of a prepared payment whose answer never came. What was not done until now cannot be done any more afterwards, so `absent`
   * means that no money will move, but for what is `held`. @throws if the provider does not say; ask again then
   */
  abstract conclude(prepared: PreparedPayment): Promise<Authorised | Declined | Absent>;

  /** The state of an authorised payment. */
  abstract find(payment: HeldPayment): Promise<ProviderPayment>;

  /** Takes the amount, which may be less than was authorised: the rest is released. */
  abstract capture(request: CaptureRequest): Promise<CaptureOutcome>;

  /** Releases what is held. `captured`: it was taken meanwhile, and only a refund gives it back. */
  abstract void(payment: HeldPayment & Readonly<{ key: string }>): Promise<'voided' | 'captured'>;

  abstract refund(request: RefundRequest): Promise<RefundOutcome>;

  /** What became of a refund. `absent`: the provider has none with this id of ours, and will not make one. */
  abstract findRefund(
    request: RefundRequest,
    reference: string | null,
  ): Promise<RefundOutcome | Readonly<{ is: 'absent' }>>;

  /** @param reference the provider's id of the dispute. With `submit` the evidence is final. */
  abstract sendEvidence(reference: string, evidence: DisputeEvidence, submit: boolean): Promise<void>;

  abstract acceptDispute(reference: string): Promise<void>;

  /**
   * Reads a webhook of the provider.
   * @throws WebhookRefused if the signature or its age is wrong
   */
  abstract readWebhook(webhook: ReceivedWebhook): Promise<ProviderEvent>;

  /** The provider's events after the given one, oldest first; all that it still lists without one. Undefined if it lists none. */
  events(_after: string | null): AsyncIterable<ProviderEvent> | undefined {
    return undefined;
  }

  /** Every movement of money by the provider's own list, oldest first. `from` inclusive, `to` exclusive, ISO 8601. */
  abstract balanceLines(from: string, to: string): AsyncIterable<BalanceLine>;

  /** Payouts to the bank. Undefined if the provider does not list them. */
  payouts(_from: string, _to: string): AsyncIterable<ProviderPayout> | undefined {
    return undefined;
  }
}
