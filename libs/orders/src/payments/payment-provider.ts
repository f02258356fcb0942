/** A card on its way to the provider. It exists in memory only: never logged, stored, queued or put into an error. */
export type CardData = Readonly<{ number: string; expiryMonth: number; expiryYear: number; cvv: string }>;

export type BillingAddress = Readonly<Record<string, string>>;

export type PaymentMethod =
  | Readonly<{ type: 'creditcard'; card: CardData; billing: BillingAddress }>
  | Readonly<{ type: 'providera_token' | 'providerb_token'; token: string; billing: BillingAddress }>;

export type PaymentRequest = Readonly<{
  /** The order's id is the idempotency key: the same order asked twice is one payment. */
  orderId: string;
  /** USD cents. */
  amountCents: number;
  method: PaymentMethod;
}>;

export type Authorised = Readonly<{ is: 'authorised'; reference: string; amountCents: number }>;
/** Money that the provider holds for an order. */
export type Charge = Readonly<{ orderId: string; reference: string }>;

export type Declined = Readonly<{ is: 'declined'; reason: string }>;

/** The provider failed and says for certain that it took nothing. Any other fault leaves open whether money moved. */
export class PaymentNotTaken extends Error {}

/**
 * Whoever takes the money. Everything may throw: a fault says nothing about whether money moved, `find` does.
 * A real provider is one class that extends this one; the rest of Willcall knows only this file.
 */
export abstract class PaymentProvider {
  /** Kept with each payment, so that a later look-up goes to the provider that has it. */
  abstract readonly name: string;

  /** Asks for the amount. `signal` ends the wait, not necessarily the payment: afterwards only `find` knows. */
  abstract authorise(request: PaymentRequest, signal: AbortSignal): Promise<Authorised | Declined>;

  /** What became of an order's payment; `absent` when the provider has never heard of it, so no money moved. */
  abstract find(orderId: string): Promise<Authorised | Declined | Readonly<{ is: 'absent' }>>;

  /**
   * All that it has taken and not given back, for `willcall reconcile`. Undefined where the provider cannot list; then a file
   * exported by hand is compared.
   */
  charges(): AsyncIterable<Charge> | undefined {
    return undefined;
  }

  /** Gives the money back: voided before it was captured, refunded after. Asked twice, it is done once. */
  abstract release(orderId: string, reference: string): Promise<'voided' | 'refunded'>;
}
