import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#event-store/event';
import { duePingsWriter } from './due-pings.writer.js';

const STREAM = 'order-ord_1';
const PURCHASE = { client_id: 'cli_1', ref_id: 'ref 1', total_cents: 100 };
const PENDING = { status: 'pending', status_message: 'Pending confirmation', status_code: 1001 };
const CONFIRMED = { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 };

function event(position: number, type: string, data: object, transactionId = 'txn-1'): RecordedEvent {
  return {
    stream: STREAM,
    position,
    event_id: `evt_${position}`,
    type,
    data,
    metadata: { transaction_id: transactionId, actor: 'system:test' },
    recorded_at: `2026-11-21T12:00:0${position}.000Z`,
  };
}

const received = event(1, 'PurchaseReceived', PURCHASE);
const pending = event(2, 'OrderPending', { status: PENDING });
const rows = (past: RecordedEvent[], appended: RecordedEvent[], stream = STREAM) =>
  duePingsWriter.rows({ stream, past, appended, attachments: {} });

describe('the pings that become due with an append', () => {
  it('are one for a placed purchase', () => {
    expect(rows([], [received, pending])).toEqual([
      {
        order_id: 'ord_1',
        sequence: 1,
        position: 2,
        client_id: 'cli_1',
        ref_id: 'ref 1',
        ...PENDING,
        occurred_at: '2026-11-21T12:00:02.000Z',
        transaction_id: 'txn-1',
      },
    ]);
  });

  it('are none for a purchase that waits for its payment, nor for one that is declined', () => {
    const declined = event(2, 'PaymentDeclined', { provider: 'sandbox', reason: 'declined' });
    expect(rows([], [received])).toEqual([]);
    expect(rows([received], [declined])).toEqual([]);
  });

  it('are counted on from the statuses before, with the transaction that brought each about', () => {
    const authorised = event(2, 'PaymentAuthorised', { provider: 'sandbox', reference: 'r', amount_cents: 100 });
    const opened = event(3, 'OrderPending', { status: PENDING });
    const confirmed = event(4, 'OrderConfirmed', { status: CONFIRMED }, 'txn-2');
    const corrected = event(5, 'FulfillmentCorrected', { fulfillment: {} });
    expect(rows([received], [authorised, opened])).toMatchObject([{ sequence: 1, position: 3 }]);
    expect(rows([received, authorised, opened], [confirmed, corrected])).toMatchObject([
      { sequence: 2, position: 4, status_code: 2000, transaction_id: 'txn-2', client_id: 'cli_1', ref_id: 'ref 1' },
    ]);
  });

  it('are as many as the statuses of one append, in their order', () => {
    const confirmed = event(3, 'OrderConfirmed', { status: CONFIRMED });
    expect(rows([], [received, pending, confirmed])).toMatchObject([
      { sequence: 1, position: 2, status_code: 1001 },
      { sequence: 2, position: 3, status_code: 2000 },
    ]);
  });

  it('are none for a stream that is no order', () => {
    expect(rows([], [received, pending], 'listing-1')).toEqual([]);
  });
});
