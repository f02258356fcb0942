/** Valid bodies of POST /purchases. */
export const VALID_CARD_NUMBER = '4111111111111111';

export const billingAddress = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address1: '12 Analytical Way',
  address2: 'Apt 3',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'US',
};

export const shippingAddress = { ...billingAddress, city: 'Albany', zip: '12207-1234', phone: '+1 212 555 0100' };

const user = {
  email: 'ada@example.com',
  phone: '+1 212 555 0100',
  ip_address: '192.0.2.7',
  location: { lat: 40.7, lon: -74 },
};

const common = { user, ref_id: 'ref-1', market_specific_fields: { campaign: 'spring' } };

export function wholesaleBody() {
  const product = { event_id: '5512', listing_id: 'lst-1', quantity: 2, total: 180.02 };
  return structuredClone({ product, ...common });
}

export function cardBody() {
  const data = {
    card_number: VALID_CARD_NUMBER,
    expiry_month: '12',
    expiry_year: '2039',
    cvv: '123',
    ...billingAddress,
  };
  return structuredClone({
    product: { event_id: '5512', listing_id: 'lst-1', quantity: 2 },
    ...common,
    payment: { total: 254.6, type: 'creditcard', data },
    delivery_method: { type: 'ship', data: shippingAddress },
    is_trusted_user: 'false',
  });
}

export function tokenBody(type: 'providera_token' | 'providerb_token' = 'providera_token') {
  const { payment, ...rest } = cardBody();
  return { ...rest, payment: { total: payment.total, type, data: { token: 'tok_1', ...billingAddress } } };
}
