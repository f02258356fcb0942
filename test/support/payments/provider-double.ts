/**
 * What goes wrong with one request. The names say how far the provider came:
 * - `refused`: 429, nothing done. `unauthorised`: 401, nothing done. `conflict`: 409, nothing done.
 * - `broken`: 500, nothing done. `broken-saved`: the same, and the answer is kept under the request's key.
 * - `done-broken`: 500, after all was done.
 * - `dropped`: the connection ends before anything is done. `done-dropped`: all is done, and the answer is lost.
 * - `silent`: nothing is done and no answer comes. `done-silent`: all is done and no answer comes.
 */
export type ProviderFault =
  | 'refused'
  | 'unauthorised'
  | 'conflict'
  | 'broken'
  | 'broken-saved'
  | 'done-broken'
  | 'dropped'
  | 'done-dropped'
  | 'silent'
  | 'done-silent';

/** What a request is about, whatever the provider calls it. */
export type ProviderStep =
  'prepare' | 'authorise' | 'capture' | 'void' | 'refund' | 'evidence' | 'accept' | 'upload' | 'read';

/** Faults by chance. `rates`: of 1, for each request that changes something. The same seed and requests give the same faults. */
export type SeededFaults = Readonly<{ seed: number; rates: Readonly<Partial<Record<ProviderFault, number>>> }>;

/** When webhooks leave. `first`: before the answer to the request that caused them. `held`: by `deliver` alone. */
export type WebhookTiming = 'first' | 'at-once' | 'held' | 'never';

/** Minor units throughout. */
export type BookedCharge = Readonly<{
  reference: string;
  orderId: string | null;
  state: 'prepared' | 'declined' | 'authorised' | 'captured' | 'voided';
  authorisedCents: number;
  capturedCents: number;
  refundedCents: number;
}>;

export type BookedRefund = Readonly<{
  reference: string;
  payment: string;
  refundId: string | null;
  state: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
}>;

export interface ProviderBook {
  charges(): readonly BookedCharge[];
  /** What was taken of this payment, without refunds taken off. */
  captured(reference: string): number;
  refunds(reference?: string): readonly BookedRefund[];
}

/** A payment provider with a book of its own, as a server on this machine. What a test may ask of each of them. */
export interface ProviderDouble {
  /** As settings of Willcall. */
  readonly settings: Readonly<Record<string, string>>;
  readonly book: ProviderBook;
  /** Requests as they came, e.g. to see that one was not repeated. */
  readonly asked: readonly Readonly<{ step: ProviderStep; key: string | null }>[];
  /** The fault of the next request of this step, or of any step. */
  next(fault: ProviderFault, step?: ProviderStep): void;
  /** Faults by chance from now on; none with undefined. */
  fail(faults: SeededFaults | undefined): void;
  /** As if the time had passed after which the provider knows no key any more; but keys of requests that may still be on their way stay. */
  forgetKeys(): void;
  /** Takes the hold away, as time does. */
  expire(reference: string): void;
  /** Opens a dispute about the whole payment. Returns its reference. */
  openDispute(reference: string, options?: Readonly<{ inquiry?: boolean }>): string;
  closeDispute(dispute: string, state: 'won' | 'lost' | 'withdrawn'): void;
  /** Somebody gives money back at the provider's own pages. Returns the refund's reference. */
  refundByHand(reference: string, amountCents: number): string;
  /** Ends the open refunds and payouts, as days do. */
  settle(): void;
  /** What the provider owes us. Refunds need it. */
  setBalance(cents: number): void;
  /** Where webhooks go to. */
  sendWebhooksTo(address: string, timing: WebhookTiming): void;
  /** Sends the held webhooks. Resolves with the answers' status codes. */
  deliver(options?: Readonly<{ twice?: boolean; reversed?: boolean }>): Promise<readonly number[]>;
  stop(): Promise<void>;
}
