import { describe, expect, it } from 'vitest';
import { ErrorBody, errorBody, errorEntry } from './error-body.contract.js';
import { ERRORS, LOOKUP_UNAVAILABLE_MESSAGE } from './errors.contract.js';

describe('an error body', () => {
  it('has one entry for each code, in the order of the table, with all fields', () => {
    const body = errorBody([
      { code: 40038, field: 'payment.data.city' },
      { code: 40001, field: 'ref_id' },
      { code: 40038, field: 'payment.data.country' },
      { code: 40038, field: 'payment.data.city' },
    ]);
    expect(body).toEqual({
      errors: [
        { code: 40001, message: 'Missing or invalid field: ref_id', user_message: ERRORS[40001].user_message },
        {
          code: 40038,
          message: 'Invalid billing address: payment.data.city, payment.data.country',
          user_message: 'Please check the billing address.',
        },
      ],
    });
    expect(ErrorBody.parse(body)).toEqual(body);
  });

  it('has the message of the table', () => {
    expect(errorEntry(40030)).toMatchObject({ code: 40030, message: 'Duplicate purchase' });
  });
});

describe('the table', () => {
  it('has every code of the specification, with its message', () => {
    // The words of specs/checkout-integration.md; 40014 is worded in two ways there.
    const specification = `40009 Invalid quantity|40011 Quantity selected not available|40012 Invalid listing id|40016 Payment declined
      |40017 Invalid credit card number|40024 Invalid zip code|40026 Invalid total|40030 Duplicate purchase|40032 Invalid billing state
      |40033 Invalid shipping state|40034 Invalid shipping address|40035 Invalid CVV|40038 Invalid billing address
      |40039 Invalid expiration date|40040 Invalid purchase id|40014 Listing not available`;
    for (const line of specification.split('|')) {
      const [, code, message] = /(\d{5}) (.+)/.exec(line.trim()) ?? [];
      expect(ERRORS[Number(code) as keyof typeof ERRORS]).toMatchObject({ status: 400, message });
    }
    expect(LOOKUP_UNAVAILABLE_MESSAGE).toBe('Listing no longer available');
  });

  it('has codes that start with their HTTP status', () => {
    for (const [code, { status }] of Object.entries(ERRORS)) expect(Math.floor(Number(code) / 100)).toBe(status);
  });
});
