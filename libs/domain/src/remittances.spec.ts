import { expect, it } from 'vitest';
import type { OrderCommand } from './order.js';
import { life, receive, status } from '../../../test/support/orders/paid-order.js';

const sold = [receive({ payment: null, client_id: 'acme' }), status(2000)];

const paid = (amountCents: number, paidOn = '2026-11-30', clientId = 'acme'): OrderCommand => {
  return { type: 'RecordRemittance', clientId, amountCents, paidOn };
};

it('settles what the client owes', () => {
  const { order, gave } = life(...sold, paid(11_500));
  expect(gave).toEqual(['RemittanceMatched']);
  expect(order.books.balances).toMatchObject({ 'client:acme': 0, bank: 11_500 });
});

it('is recorded once for each day and amount', () => {
  expect(life(...sold, paid(11_500), paid(11_500)).gave).toEqual([]);
  const { order } = life(...sold, paid(5_000), paid(5_000, '2026-12-01'), paid(1_500));
  expect(order.books.balances).toMatchObject({ 'client:acme': 0, bank: 11_500 });
});

it('takes back what was paid back', () => {
  const { order } = life(...sold, paid(11_500), status(3004), paid(-11_500));
  expect(order.books.balances).toMatchObject({ 'client:acme': 0, bank: 0 });
});

it('of 0, of another client, or for an order with a payment of its own is none', () => {
  expect(life(...sold, paid(0)).gave).toEqual([]);
  expect(life(...sold, paid(11_500, '2026-11-30', 'other')).gave).toBe('ORDER_UNKNOWN');
  expect(life(receive({ client_id: 'acme' }), paid(11_500)).gave).toBe('ORDER_UNKNOWN');
});
