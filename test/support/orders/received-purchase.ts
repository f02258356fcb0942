import type { ReceivedPurchase } from '#domain/order-events';

/** A purchase of three tickets with a card, which the broker has to confirm. */
export const PURCHASE: ReceivedPurchase = {
  client_id: 'acme',
  variant: 'payment',
  product: { event_id: '1001', listing_id: 'L1', quantity: 3 },
  listing_version: 7,
  total_cents: 10_000,
  delivery_method: 'ship',
  ref_id: 'r 1',
  duplicate_key: 'ref:r 1',
  trusted: false,
  hold_for_review: false,
  confirmation: 'manual',
  confirm_within_minutes: 30,
  payment: { type: 'creditcard', brand: 'visa', last_four: '1111', expiry_month: 1, expiry_year: 2030 },
  market_specific_fields: null,
  personal: Buffer.from('sealed').toString('base64'),
};
