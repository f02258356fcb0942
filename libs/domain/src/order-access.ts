/** The queue of orders that a person still has to look at. */
export const REVIEW_QUEUE = 'review';

/** The stage of an order during its payment. */
export const PAYING = 'awaiting_payment';

/** The sellers whose orders and listings somebody sees, by a session or a token. Null: of all, and those of nobody too. */
export type SeenSellers = readonly string[] | null;

/** What the rule asks of an order. */
export type AskedOrder = Readonly<{ seller: string | null; stage: string; queue: string | null }>;

/**
 * Who sees which order: staff see every one, and the brokers of its seller see it from the end of its review on. During the payment it may
 * still come under review.
 */
export function seesOrder(sellers: SeenSellers, { seller, stage, queue }: AskedOrder): boolean {
  return sellers === null || (stage !== PAYING && queue !== REVIEW_QUEUE && seesSeller(sellers, seller));
}

/** Whether something of this seller is shown. What has no seller is shown to staff only. */
export function seesSeller(sellers: SeenSellers, seller: string | null | undefined): boolean {
  return sellers === null || (typeof seller === 'string' && sellers.includes(seller));
}
