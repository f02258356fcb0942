import { describe, expect, it } from 'vitest';
import type { OrderEvent } from '#domain/order-events';
import { orderAppend, recorded } from '../../../test/support/orders/order-append.js';
import { PURCHASE } from '../../../test/support/orders/received-purchase.js';
import { stockProjection } from './stock.projection.js';

const received: OrderEvent = { type: 'PurchaseReceived', data: PURCHASE };
const confirmed: OrderEvent = {
  type: 'OrderConfirmed',
  data: { status: { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 } },
};
const rejected: OrderEvent = {
  type: 'OrderRejected',
  data: { status: { status: 'rejected', status_message: 'Fraud - system', status_code: 3001 } },
};

function rows(past: readonly OrderEvent[], ...appended: OrderEvent[]): readonly object[] {
  return stockProjection.rows(orderAppend(recorded(...past, ...appended), past.length));
}

const taken = (count: number) => [{ listing_id: 'L1', listing_version: 7, taken: count }];

describe('the rows of the stock projection', () => {
  it('take the tickets of a purchase once', () => {
    expect(rows([], received)).toEqual(taken(3));
    expect(rows([], received, confirmed)).toEqual(taken(3));
    expect(rows([received], confirmed)).toEqual([]);
  });

  it('return the tickets once when the order no longer holds them', () => {
    expect(rows([received, confirmed], rejected)).toEqual(taken(-3));
    expect(rows([received, rejected], { ...rejected, type: 'ReplacementRejected' })).toEqual([]);
  });

  it('are empty if one append takes and returns tickets, and for other streams', () => {
    const declined: OrderEvent = { type: 'PaymentDeclined', data: { provider: 'sandbox', reason: 'no' } };
    expect(rows([], received, declined)).toEqual([]);
    expect(stockProjection.rows(orderAppend([]))).toEqual([]);
  });

  it('are one sum if all tickets come back, and stay apart if some are taken', () => {
    expect(stockProjection.merged?.([...taken(-3), ...taken(-4)])).toEqual(taken(-7)[0]);
    expect(stockProjection.merged?.([...taken(-3), ...taken(4)])).toBeUndefined();
  });

  it('are one sum with its steps if all are sales of one version, without a seat twice', () => {
    const [one] = taken(2);
    const sale = (change: object) => ({ ...one, ...change });
    expect(stockProjection.merged?.([sale({}), sale({ taken: 3, seats: ['7'] })])).toEqual({
      ...one,
      taken: 5,
      seats: ['7'],
      sums: [2, 5],
    });
    expect(stockProjection.merged?.([sale({}), sale({ listing_version: 99 })])).toBeUndefined();
    expect(stockProjection.merged?.([sale({ seats: ['7'] }), sale({ seats: ['7'] })])).toBeUndefined();
  });
});
