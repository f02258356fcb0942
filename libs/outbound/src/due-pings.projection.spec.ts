import { describe, expect, it } from 'vitest';
import type { OrderEvent } from '#domain/order-events';
import { orderAppend, recorded } from '../../../test/support/orders/order-append.js';
import { PURCHASE } from '../../../test/support/orders/received-purchase.js';
import { duePingsProjection } from './due-pings.projection.js';

const PENDING = { status: 'pending', status_message: 'Pending confirmation', status_code: 1001 } as const;
const CONFIRMED = { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 } as const;
const ship = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' } } as const;

const received: OrderEvent = { type: 'PurchaseReceived', data: PURCHASE };
const pending: OrderEvent = { type: 'OrderPending', data: { status: PENDING } };
const confirmed: OrderEvent = { type: 'OrderConfirmed', data: { status: CONFIRMED } };
const rows = (past: readonly OrderEvent[], appended: readonly OrderEvent[]) =>
  duePingsProjection.rows(orderAppend(recorded(...past, ...appended), past.length));

describe('the due pings of an append', () => {
  it('are one for a placed purchase', () => {
    expect(rows([], [received, pending])).toEqual([
      {
        order_id: 'ord_1',
        sequence: 1,
        position: 2,
        client_id: 'acme',
        ref_id: 'r 1',
        ...PENDING,
        occurred_at: '2026-11-21T12:00:01.000Z',
        transaction_id: 't2',
        traceparent: null,
      },
    ]);
  });

  it('are none for a purchase that waits for its payment or is declined', () => {
    expect(rows([], [received])).toEqual([]);
    expect(rows([received], [{ type: 'PaymentDeclined', data: { provider: 'sandbox', reason: 'no' } }])).toEqual([]);
  });

  it('are numbered after the earlier statuses, each with the transaction of its status', () => {
    const taken = { provider: 'sandbox', reference: 'r', amount_cents: 100 };
    const authorised: OrderEvent = { type: 'PaymentAuthorised', data: taken };
    const corrected: OrderEvent = { type: 'FulfillmentCorrected', data: { fulfillment: ship } };
    expect(rows([received], [authorised, pending])).toMatchObject([{ sequence: 1, position: 3 }]);
    expect(rows([received, authorised, pending], [confirmed, corrected])).toMatchObject([
      { sequence: 2, position: 4, status_code: 2000, transaction_id: 't4', client_id: 'acme', ref_id: 'r 1' },
    ]);
  });

  it('are one for each status of the append, in their order', () => {
    expect(rows([], [received, pending, confirmed])).toMatchObject([
      { sequence: 1, position: 2, status_code: 1001 },
      { sequence: 2, position: 3, status_code: 2000 },
    ]);
  });

  it('are none for a stream that is not an order', () => {
    const commit = orderAppend(recorded(received, pending));
    expect(duePingsProjection.rows({ ...commit, stream: 'listing-1' })).toEqual([]);
  });
});
