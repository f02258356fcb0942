import { describe, expect, it } from 'vitest';
import { buyerOf, type Fields } from './buyer.js';

const BILLING = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address1: '1 Way',
  city: 'York',
  zip: '10001',
  country: 'US',
};

const orderOf = (delivery: Fields, buyer: Fields | null = null) => ({
  buyer,
  delivery_method: { data: { ...delivery } },
  payment: { billing: BILLING },
});

describe('the buyer of an order', () => {
  it('has no part of somebody else’s name or address', () => {
    const delivery = { first_name: 'Sukarno', last_name: '', address1: '9 Quay', city: 'Hong Kong', country: 'HK' };
    expect(buyerOf({}, orderOf(delivery))).toMatchObject({ name: 'Sukarno', address: '9 Quay, Hong Kong, HK' });
  });

  it('has the corrected parts of what is known of the payer', () => {
    const corrected = { first_name: 'Augusta', address: { zip: '10002' } };
    const { name, address } = buyerOf({ buyer: corrected }, orderOf({ email: 'ada@example.com' }, corrected));
    expect([name, address]).toEqual(['Augusta Lovelace', '1 Way, York 10002, US']);
  });
});
