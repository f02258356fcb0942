import type { FraudField, OrderField } from '../order-condition.contract.js';
import type { ReceivedPurchase } from '#domain/order-events';
import type { Status } from '#domain/status';
import type { BuyerDigests } from '../buyer-digests.js';
import type { Facts } from './condition-match.js';

/** A purchase as it came in. */
export type ScreenedPurchase = Readonly<{
  orderId: string;
  received: Pick<
    ReceivedPurchase,
    'client_id' | 'variant' | 'product' | 'total_cents' | 'ref_id' | 'payment' | 'seller' | 'confirm_within_minutes'
  >;
  transactionId: string;
  /** ISO 8601. */
  placedAt: string;
  digests: BuyerDigests;
}>;

/** What the search would know of the purchase when it comes in: it has no status yet, and nobody has worked on it. */
export function purchaseFacts({
  orderId,
  received,
  transactionId,
  placedAt,
  digests,
}: ScreenedPurchase): Facts<OrderField> {
  const { product, payment } = received;
  const others = digests.others.map(hex);
  const of = (digest: Buffer | null) => (digest ? [hex(digest), ...others] : []);
  return {
    status: null,
    status_code: null,
    stage: 'awaiting_payment',
    queue: null,
    next_action: 'done',
    acts: 'nobody',
    client_id: received.client_id,
    assignee: null,
    seller: received.seller ?? null,
    external_id: product.external_id ?? null,
    speculative: product.speculative ?? false,
    variant: received.variant,
    id: orderId,
    event_id: product.event_id,
    listing_id: product.listing_id,
    ref_id: received.ref_id,
    transaction_id: transactionId,
    tracking_number: null,
    card_last4: payment?.last_four ?? null,
    placed_at: placedAt,
    updated_at: placedAt,
    due_at: null,
    quantity: product.quantity,
    total: received.total_cents,
    email: of(digests.email),
    phone: of(digests.phone),
    last_name: of(digests.last_name),
    tag: [],
    has: [],
  };
}

/** The same when the order begins to wait for its broker, as if that were at once. A policy answers then. */
export function waitingFacts(purchase: ScreenedPurchase, pending: Status): Facts<OrderField> {
  const { placedAt, received } = purchase;
  const minutes = received.confirm_within_minutes;
  return {
    ...purchaseFacts(purchase),
    status: pending.status,
    status_code: pending.status_code,
    stage: 'placed',
    queue: 'to_confirm',
    next_action: 'confirm',
    acts: received.seller === undefined ? 'staff' : 'seller',
    due_at: minutes === null ? null : new Date(Date.parse(placedAt) + minutes * 60_000).toISOString(),
  };
}

export type FraudFacts = Readonly<Record<FraudField, number | boolean | null>>;

/** Before anything was looked up. */
export const NO_FRAUD_FACTS: FraudFacts = {
  email_orders_24h: null,
  address_orders_24h: null,
  card_orders_24h: null,
  distance_km: null,
  disposable_email: false,
  first_order: true,
};

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
