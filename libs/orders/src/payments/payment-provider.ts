/** Exists in memory only. Never logged, stored, queued or put into an error. */
type CardData = Readonly<{ number: string; expiryMonth: number; expiryYear: number; cvv: string }>;

type BillingAddress = Readonly<Record<string, string>>;

export type PaymentMethod =
  | Readonly<{ type: 'creditcard'; card: CardData; billing: BillingAddress }>
  | Readonly<{ type: 'providera_token' | 'providerb_token'; token: string; billing: BillingAddress }>;

export type PaymentRequest = Readonly<{
  /** The order's id is the idempotency key: a repeated request makes one payment. */
  orderId: string;
  /** USD cents. */
  amountCents: number;
  method: PaymentMethod;
}>;

export type Authorised = Readonly<{ is: 'authorised'; reference: string; amountCents: number }>;
/** Money that the provider holds for an order. */
export type Charge = Readonly<{ orderId: string; reference: string }>;

/** A part of a payment that goes back. */
export type PaymentPart = Readonly<{
  orderId: string;
  /** That of the payment. */
  reference: string;
  /** The idempotency key: a repeated call gives nothing back again, and returns the same. */
  key: string;
  /** USD cents. */
  amountCents: number;
}>;

/** `reference` is the provider's id of the part. */
export type ReleasedPart = Readonly<{ how: 'voided' | 'refunded'; reference: string }>;

export type Declined = Readonly<{ is: 'declined'; reason: string }>;

/** The provider failed and certainly took nothing. After any other error, money may have moved. */
export class PaymentNotTaken extends Error {}

/**
 * An error says nothing about whether money moved, but `find` does. A real provider extends this class; the rest of Willcall only knows
 * this file.
 */
export abstract class PaymentProvider {
  /** Stored with each payment, so that a later lookup goes to the right provider. */
  abstract readonly name: string;

  /** Authorises the amount. `signal` ends the wait, but not necessarily the payment: afterwards only `find` knows. */
  abstract authorise(request: PaymentRequest, signal: AbortSignal): Promise<Authorised | Declined>;

  /** The result of an order's payment; `absent` if the provider knows none, so no money moved. */
  abstract find(orderId: string): Promise<Authorised | Declined | Readonly<{ is: 'absent' }>>;

  /** Payments that were taken and not released, for `willcall reconcile`. Undefined if the provider cannot list them. */
  charges(): AsyncIterable<Charge> | undefined {
    return undefined;
  }

  /** How `release` would return the money now, so that staff know before they cancel. */
  abstract releaseMethod(orderId: string, reference: string): Promise<'void' | 'refund'>;

  /** Returns the money that is left: voids before the capture, refunds after it. Idempotent. */
  abstract release(orderId: string, reference: string): Promise<'voided' | 'refunded'>;

  /** Returns a part: reduces the payment before the capture, refunds it in part after it. Fails for a new key once all was released. */
  abstract releasePart(part: PaymentPart): Promise<ReleasedPart>;
}
