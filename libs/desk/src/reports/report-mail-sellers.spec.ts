import { expect, it } from 'vitest';
import type { SellersReport } from '../report.contract.js';
import { sellerTable } from './report-mail-sellers.js';

const figures: SellersReport['totals'] = {
  orders: 4,
  tickets: 8,
  total: 400,
  pending: 0,
  confirmed: 4,
  rejected: 0,
  exception: 0,
  not_answered: 0,
  rejected_rate: 0,
  faults: 0,
  fault_rate: 0,
  confirm_p50_s: null,
  ship_p50_s: null,
  shipped: 0,
  shipping_accuracy: null,
  unfulfilled: 0,
  exposure: 0,
  late: 0,
  declined: 0,
  expired: 0,
  refused: 0,
  speculative_not_delivered: 0,
  earned: 0,
  refunded: 0,
  paid: 0,
  owed: 0,
};
const row = (seller: string | null, change: Partial<typeof figures> = {}) => ({ ...figures, ...change, seller });
const table = (...rows: SellersReport['rows']) => sellerTable({ rows, totals: figures });

it('says of a seller the faults, the response time, the accuracy, and what is not sent', () => {
  const served = { faults: 1, fault_rate: 0.25, confirm_p50_s: 200, shipping_accuracy: 0.9583, unfulfilled: 3 };
  expect(table(row('Front Row', { ...served, exposure: 1_234.5 })).rows).toEqual([
    ['Front Row', '4', '1 (25%)', '3 min 20 s', '95.8%', '3', '$1,234.50'],
  ]);
  expect(table(row(null)).rows).toEqual([['No seller', '4', '0', '–', '–', '0', '$0.00']]);
});

it('has the worst seller first, and all sellers last', () => {
  const rows = [
    row('most orders', { orders: 9 }),
    row('to send', { exposure: 10 }),
    row('faulty', { faults: 1, fault_rate: 0.25 }),
    row('few orders', { orders: 1 }),
  ];
  expect(table(...rows).rows.map(([name]) => name)).toEqual([
    'faulty',
    'to send',
    'most orders',
    'few orders',
    'All sellers',
  ]);
});

it('stays short with many sellers and long names', () => {
  const many = table(...Array.from({ length: 1_200 }, (_, number) => row(`${number} ${'very '.repeat(30)}long`)));
  expect([many.title, many.rows.length]).toEqual(['Sellers: the 10 with most faults of 1,200', 11]);
  expect(many.rows[0]?.[0]).toBe('0 very very very very very ve…');
});
