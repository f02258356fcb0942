import { randomUUID } from 'node:crypto';
import { type ErrorEntry, errorsIn } from './answer-body.js';
import {
  type Answer,
  type CallContext,
  CheckoutCalls,
  type LookupQuery,
  type TimeoutError,
  statusLine,
  type Attempt,
} from './checkout-calls.js';
import type { Listing, PaymentPurchase, Purchase, WholesalePurchase } from './checkout-documents.js';
import { type Dependencies, resolveDependencies } from './dependencies.js';
import type { RetryPolicy } from './retry-policy.js';

export type { CallContext, LookupQuery, SentRequest, Attempt } from './checkout-calls.js';
export type * from './checkout-documents.js';
export { CheckoutCode } from './checkout-codes.js';

export type CheckoutOptions = Readonly<{
  /** The address that `npm start` prints: `https://tickets.example`, or with `/checkout` or `/checkout/v1` behind it. */
  url: string;
  clientId: string;
  secret: string;
  /** The scheme word in `Authorization: XX …`; default `XX`. */
  scheme?: string;
  /** For GET only. Default: six tries, with waits from 0.5 s to 30 s. */
  retryPolicy?: RetryPolicy;
  /** Called after every attempt, with the wait that follows. The sent body may contain a card: do not log it. */
  onTry?: (made: Attempt) => void;
  dependencies?: Partial<Dependencies>;
}>;

/** The marketplace refused and gave its reasons. Sending the same request again cannot help. */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError';
  readonly codes: readonly number[];

  constructor(
    readonly status: number,
    readonly errors: readonly ErrorEntry[],
    readonly transactionId: string,
  ) {
    super(`refused: ${errors.map(({ code, message }) => `${code} ${message}`).join('; ')}`);
    this.codes = errors.map(({ code }) => code);
  }

  /** A sentence for the buyer, if the marketplace sent one. */
  get userMessage(): string | undefined {
    return this.errors.find(({ user_message: text }) => text !== undefined)?.user_message;
  }
}

/** No answer accepted or refused the request. A GET has used all tries of `retryPolicy`. */
export class CheckoutFailed extends Error {
  override readonly name = 'CheckoutFailed';

  constructor(
    reason: string,
    /** The status of the last answer; undefined without one. */
    readonly status: number | undefined,
    readonly transactionId: string,
    /** The purchase may exist anyway. Never send it again: the purchase ping tells you. */
    readonly purchaseMayExist: boolean,
  ) {
    super(reason);
  }
}

/**
 * The signed calls of the checkout specification, with its retry rules: a failed GET (no answer, 5xx, 429) is repeated with
 * growing waits, and a purchase is sent once. Every call carries a transaction id, yours or a new one.
 * @example
 * const checkout = new CheckoutClient({ url: 'https://tickets.example', clientId, secret });
 * const listing = await checkout.getListing('demo-payment-1', { quantity: 2 });
 */
export class CheckoutClient {
  private readonly calls: CheckoutCalls;

  constructor({ url, clientId, secret, scheme = 'XX', dependencies, ...options }: CheckoutOptions) {
    this.calls = new CheckoutCalls({ url, scheme }, { clientId, secret }, resolveDependencies(dependencies), options);
  }

  async getListing(listingId: string, query: LookupQuery = {}, context: CallContext = {}): Promise<Listing> {
    const call = withTransactionId(context);
    return documentIn<Listing>(await this.calls.lookup(listingId, query, call), call, 'listing_id');
  }

  async getPurchase(id: string, context: CallContext = {}): Promise<Purchase> {
    const call = withTransactionId(context);
    return documentIn<Purchase>(await this.calls.purchase(id, call), call, 'id');
  }

  /** Sends the purchase exactly once. After a `CheckoutFailed` with `purchaseMayExist`, wait for the purchase ping. */
  async submitPurchase(purchase: PaymentPurchase | WholesalePurchase, context: CallContext = {}): Promise<Purchase> {
    const call = withTransactionId(context);
    return documentIn<Purchase>(await this.calls.buy(purchase, call), call, 'id', isOpen);
  }
}

type Call = CallContext & Readonly<{ transactionId: string }>;

function withTransactionId(context: CallContext): Call {
  return { ...context, transactionId: context.transactionId ?? randomUUID() };
}

function documentIn<Document>(
  outcome: Answer | TimeoutError,
  { transactionId }: Call,
  key: string,
  mayExist: (outcome: Answer | TimeoutError) => boolean = () => false,
): Document {
  if (!outcome.answered) throw new CheckoutFailed(outcome.error, undefined, transactionId, mayExist(outcome));
  const { status, body } = outcome;
  const isFine = status >= 200 && status < 300;
  if (isFine && typeof (body as Record<string, unknown> | null | undefined)?.[key] === 'string')
    return body as Document;
  const errors = status >= 400 && status < 500 && status !== 429 ? errorsIn(body) : undefined;
  if (errors) throw new CheckoutError(status, errors, transactionId);
  const reason = isFine ? `the answer has no ${key}` : `the answer was ${statusLine(outcome)}`;
  throw new CheckoutFailed(reason, status, transactionId, mayExist(outcome));
}

/** Returns whether the marketplace may have recorded a purchase that it did not confirm. */
function isOpen(outcome: Answer | TimeoutError): boolean {
  return !outcome.answered || outcome.status >= 500 || outcome.status < 300;
}
