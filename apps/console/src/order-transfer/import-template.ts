const recorded_at = '2026-01-15T10:00:00.000Z';
const metadata = { transaction_id: 'my-checkout-1', actor: 'client:acme' };

/** A past order to begin with: what was bought, and that it was confirmed. */
const ORDER = {
  id: `ord_${'1'.padStart(32, '0')}`,
  events: [
    {
      event_id: `evt_${'1'.padStart(32, '0')}`,
      type: 'PurchaseReceived',
      recorded_at,
      metadata,
      data: {
        client_id: 'acme',
        variant: 'wholesale',
        product: { event_id: '5512', listing_id: 'my-listing-1', quantity: 2, seats: ['5', '6'] },
        listing_version: 1,
        total_cents: 18400,
        delivery_method: 'download',
        ref_id: 'my-order-1',
        duplicate_key: 'ref:my-order-1',
        trusted: false,
        hold_for_review: false,
        confirmation: 'automatic',
        confirm_within_minutes: null,
        payment: null,
        market_specific_fields: null,
        personal: {
          user: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
          delivery: { email: 'ada@example.com' },
          billing: null,
        },
      },
    },
    {
      event_id: `evt_${'2'.padStart(32, '0')}`,
      type: 'OrderConfirmed',
      recorded_at,
      metadata,
      data: { status: { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 } },
    },
  ],
};

/** A file of orders to begin with: one line. */
export const TEMPLATE = `${JSON.stringify(ORDER)}\n`;
