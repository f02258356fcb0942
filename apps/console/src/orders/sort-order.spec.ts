import { describe, expect, it } from 'vitest';
import type { OrderSummary } from '#orders/order.contract';
import { isBefore } from './sort-order.js';

const order = (values: Partial<OrderSummary>) => values as OrderSummary;
const early = order({ placed_at: '2026-11-22T10:00:00.000Z', total: 5, confirm_by: '2026-11-22T12:00:00.000Z' });
const late = order({ placed_at: '2026-11-22T11:00:00.000Z', total: 7, confirm_by: null });

describe('the place of an order in a sorted list', () => {
  it.each([
    ['placed_at.desc', late, early],
    ['placed_at.asc', early, late],
    ['total.desc', late, early],
    ['total.asc', early, late],
    ['due_at.asc', early, late],
  ])('by %s', (sort, first, second) => {
    expect([isBefore(first, second, sort), isBefore(second, first, sort)]).toEqual([true, false]);
    expect(isBefore(first, first, sort)).toBe(false);
  });
});
