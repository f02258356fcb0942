import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#event-store/event';
import { stockWriter } from './stock.writer.js';

function event(type: string, data: object): RecordedEvent {
  const metadata = { transaction_id: 'test', actor: 'system:test' };
  return {
    stream: 'order-1',
    position: 1,
    event_id: 'evt_1',
    type,
    data,
    metadata,
    recorded_at: '2026-11-21T12:00:00Z',
  };
}

const product = { event_id: '1001', listing_id: 'lst-1', quantity: 3 };
const received = event('PurchaseReceived', { product, listing_version: 7 });
const status = (type: string, value: string) => event(type, { status: { status: value } });
const confirmed = status('OrderConfirmed', 'confirmed');
const rejected = status('OrderRejected', 'rejected');
const declined = event('PaymentDeclined', { provider: 'sandbox', reason: 'no' });

function rows(past: RecordedEvent[], ...appended: RecordedEvent[]): readonly object[] {
  return stockWriter.rows({ stream: 'order-1', past, appended, attachments: {} });
}

const taken = (count: number) => [{ listing_id: 'lst-1', listing_version: 7, taken: count }];

describe('the rows of the stock writer', () => {
  it('take the tickets of a purchase once', () => {
    expect(rows([], received)).toEqual(taken(3));
    expect(rows([], received, confirmed)).toEqual(taken(3));
    expect(rows([received], confirmed)).toEqual([]);
  });

  it.each([
    ['a declined payment', declined],
    ['a failed payment', event('PaymentFailed', { provider: 'sandbox', reason: 'absent' })],
    ['a rejection', rejected],
    ['a rejected replacement', status('ReplacementRejected', 'rejected')],
  ])('give them back after %s', (_what, last) => {
    expect(rows([received, confirmed], last)).toEqual(taken(-3));
  });

  it('give back once in the life of an order', () => {
    expect(rows([received], declined, rejected)).toEqual(taken(-3));
    expect(rows([received, declined], rejected)).toEqual([]);
    expect(rows([received, rejected], declined)).toEqual([]);
  });

  it.each(['TicketsShipped', 'TicketsDelivered'])('keep what was sent out: %s', (type) => {
    expect(rows([received, status(type, 'confirmed')], rejected)).toEqual([]);
    expect(rows([received], status(type, 'confirmed'), rejected)).toEqual([]);
  });

  it('are none for what came and went in one append, and for other streams', () => {
    expect(rows([], received, declined)).toEqual([]);
    expect(rows([], event('ClientRegistered', {}))).toEqual([]);
  });
});
