import type { Dispute } from '#money/dispute.contract';

/** A dispute of a card payment, which waits for an answer. */
export const DISPUTE: Dispute = {
  id: 'dp_1',
  reference: 'du_1',
  order_id: 'ord_1',
  provider: 'stripe',
  kind: 'card',
  state: 'open',
  inquiry: false,
  reason: 'fraudulent',
  amount: 254.6,
  currency: 'EUR',
  opened_at: '2026-11-26T10:00:00.000Z',
  due_at: '2099-12-03T10:00:00.000Z',
  sent_at: null,
  closed_at: null,
  note: null,
};
