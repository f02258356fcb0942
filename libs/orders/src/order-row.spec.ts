import { describe, expect, it } from 'vitest';
import type { OrderEvent } from '#domain/order-events';
import type { RecordedEvent } from '#event-store/event';
import { orderAppend, recorded } from '../../../test/support/orders/order-append.js';
import { PURCHASE } from '../../../test/support/orders/received-purchase.js';
import type { OrderRow } from './order-row.js';
import { ordersProjection } from './orders.projection.js';
import { statusHistoryProjection } from './status-history.projection.js';

const pending = { status: 'pending', status_message: 'Pending confirmation', status_code: 1001 } as const;
const shipped = { status: 'confirmed', status_message: 'Tickets shipped (hard tickets)', status_code: 2002 } as const;
const rejected = { status: 'rejected', status_message: 'Fraud - system', status_code: 3001 } as const;
const ship = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' } } as const;
const taken = { provider: 'sandbox', reference: 'x', amount_cents: 10_000 };

const rowOf = (events: readonly RecordedEvent<OrderEvent>[]) =>
  ordersProjection.rows(orderAppend(events))[0] as OrderRow;

const received: OrderEvent = { type: 'PurchaseReceived', data: PURCHASE };
const authorised: OrderEvent = { type: 'PaymentAuthorised', data: taken };
const opened: OrderEvent = { type: 'OrderPending', data: { status: pending } };

describe('the row of an order', () => {
  it('waits for its payment, invisible to the platform, and holds its stock', () => {
    expect(rowOf(recorded(received))).toMatchObject({
      id: 'ord_1',
      version: 1,
      stage: 'awaiting_payment',
      status: null,
      stock_held: 3,
      transaction_id: 't1',
      due_for: 'payment_outcome',
      due_at: '2026-11-21T12:00:00.000Z',
      personal: `\\x${Buffer.from('sealed').toString('hex')}`,
    });
  });

  it('has the Purchase of the specification once it has a status', () => {
    const row = rowOf(recorded(received, authorised, opened));
    expect(row).toMatchObject({ stage: 'placed', status_code: 1001, version: 3 });
    expect(row.purchase).toEqual({
      id: 'ord_1',
      status: pending,
      product: PURCHASE.product,
      delivery_method: { type: 'ship', data: {} },
      fulfillment: null,
      ref_id: 'r 1',
      status_history: [{ ...pending, created_at: '2026-11-21T12:00:02.000Z' }],
    });
  });

  it('is due at the confirmation deadline, even after events without a status', () => {
    const due = { due_for: 'confirmation', due_at: '2026-11-21T12:30:02.000Z' };
    expect(rowOf(recorded(received, authorised, opened))).toMatchObject(due);
    const erased: OrderEvent = { type: 'PersonalDataErased', data: {} };
    expect(rowOf(recorded(received, authorised, opened, erased))).toMatchObject({ ...due, personal: null });
  });

  it('returns its stock when it is rejected, and its payment is to go back', () => {
    const events = recorded(received, authorised, opened, { type: 'OrderRejected', data: { status: rejected } });
    expect(rowOf(events)).toMatchObject({
      stock_held: 0,
      due_for: null,
      payment_step: 'return',
      payment_due_at: '2026-11-21T12:00:03.000Z',
    });
  });

  it('keeps its stock if it is rejected after the tickets were sent', () => {
    const events = recorded(
      received,
      authorised,
      opened,
      { type: 'TicketsShipped', data: { status: shipped, fulfillment: ship } },
      { type: 'OrderRejected', data: { status: rejected } },
    );
    expect(rowOf(events)).toMatchObject({ stock_held: 3, purchase: { fulfillment: ship } });
  });

  it('has nothing to do once the payment is released', () => {
    const events = recorded(
      received,
      authorised,
      { type: 'OrderRejected', data: { status: rejected } },
      { type: 'PaymentReleased', data: { provider: 'sandbox', reference: 'x', how: 'voided' } },
    );
    expect(rowOf(events)).toMatchObject({
      payment_step: null,
      payment_due_at: null,
      summary: { payment: { state: 'released' } },
    });
  });

  it.each([
    ['PaymentDeclined', 'declined'],
    ['PaymentFailed', 'failed'],
  ] as const)('of an attempt ends with %s as %s, without stock', (type, stage) => {
    const events = recorded(received, { type, data: { provider: 'sandbox', reason: 'no' } });
    expect(rowOf(events)).toMatchObject({ stage, status: null, stock_held: 0, due_for: null });
  });

  it('takes over a corrected fulfillment', () => {
    const other = { type: 'ship', data: { carrier: 'FedEx', tracking_number: '2' } } as const;
    const events = recorded(
      received,
      authorised,
      { type: 'TicketsShipped', data: { status: shipped, fulfillment: ship } },
      { type: 'FulfillmentCorrected', data: { fulfillment: other } },
    );
    expect(rowOf(events)).toMatchObject({ status_code: 2002, purchase: { fulfillment: other } });
  });

  it('has the time of its last change and the transaction of the purchase', () => {
    const row = rowOf(recorded(received, authorised, opened));
    expect(row).toMatchObject({ placed_at: '2026-11-21T12:00:00.000Z', updated_at: '2026-11-21T12:00:02.000Z' });
    expect(row.transaction_id).toBe('t1');
    expect(ordersProjection.rows(orderAppend(recorded(received, authorised, opened), 2))).toEqual([row]);
  });
});

it('the history has one row for each status, numbered after the earlier ones', () => {
  const events = recorded(received, authorised, opened, {
    type: 'OrderRejected',
    data: { status: rejected, note: 'stolen' },
  });
  expect(statusHistoryProjection.rows(orderAppend(events))).toEqual([
    {
      order_id: 'ord_1',
      sequence: 1,
      position: 3,
      ...pending,
      actor: 'staff:administrator',
      note: null,
      sealed_note: null,
      recorded_at: '2026-11-21T12:00:02.000Z',
    },
    {
      order_id: 'ord_1',
      sequence: 2,
      position: 4,
      ...rejected,
      actor: 'staff:administrator',
      note: 'stolen',
      sealed_note: null,
      recorded_at: '2026-11-21T12:00:03.000Z',
    },
  ]);
  expect(statusHistoryProjection.rows(orderAppend(events, 3))).toMatchObject([{ sequence: 2, status_code: 3001 }]);
});
