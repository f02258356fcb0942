import { describe, expect, it } from 'vitest';
import { cardBody, wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { PaymentPurchaseRequest, WholesalePurchaseRequest } from './purchase-request.contract.js';

describe('the request of a purchase', () => {
  it('has an empty last name for a person with one name, and no ZIP code where it is hardly used', () => {
    const one = { first_name: 'Sukarno', last_name: '', country: 'UK', state: '', zip: 'SW1A 1AA' };
    const body = cardBody();
    Object.assign(body.payment.data, one);
    Object.assign(body.delivery_method.data, one, { country: 'JM', zip: '' });
    const { payment, delivery_method } = PaymentPurchaseRequest.parse(body);
    expect(payment.billing).toMatchObject({ first_name: 'Sukarno', last_name: '', country: 'GB', zip: 'SW1A 1AA' });
    expect(delivery_method.data).toMatchObject({ first_name: 'Sukarno', last_name: '', country: 'JM' });
    expect(delivery_method.data).not.toHaveProperty('zip');
  });

  it('has the address of its user without the blanks around it', () => {
    const { user } = WholesalePurchaseRequest.parse({ ...wholesaleBody(), user: { email: ' ada@example.com ' } });
    expect(user).toEqual({ email: 'ada@example.com' });
  });
});
