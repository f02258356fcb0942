import { describe, expect, it } from 'vitest';
import { conditionOf, FIELDS, rowsOf, ruleOpsOf } from './condition-rows.js';

describe('a condition in rows', () => {
  it.each([
    { field: 'total', op: '>=', value: 500 },
    { field: 'email', op: '=', value: 'a@example.com' },
    { field: 'seller', op: 'in', value: ['a', 'b'] },
    { field: 'distance_km', op: 'is_null', value: false },
    { field: 'first_order', op: '=', value: true },
    {
      or: [
        { field: 'email_orders_24h', op: '>=', value: 3 },
        { field: 'disposable_email', op: '=', value: true },
      ],
    },
    {
      and: [
        { field: 'quantity', op: '=', value: 1 },
        { field: 'event_id', op: 'starts_with', value: '10' },
      ],
    },
  ])('is the same afterwards: %j', (where) => {
    const rows = rowsOf(where);
    expect(rows && conditionOf(rows)).toEqual(where);
  });

  it.each([
    { not: { field: 'total', op: '<', value: 5 } },
    { and: [{ or: [{ field: 'total', op: '<', value: 5 }] }] },
    { field: 'unknown', op: '=', value: 1 },
    { field: 'disposable_email', op: '!=', value: true },
  ])('is not shown if rows cannot hold it: %j', (where) => expect(rowsOf(where)).toBeUndefined());

  it('leaves what is no number to the API, which names the field', () => {
    expect(conditionOf({ join: 'and', rows: [{ field: 'total', op: '>=', value: '' }] })).toMatchObject({ value: '' });
    expect(conditionOf({ join: 'and', rows: [{ field: 'total', op: '>=', value: 'x' }] })).toMatchObject({
      value: 'x',
    });
  });

  it('has a comparison for each field of the form', () => {
    for (const field of FIELDS.fraud) expect(ruleOpsOf(field).length).toBeGreaterThan(0);
  });
});
