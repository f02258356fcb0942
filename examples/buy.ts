import { CheckoutClient, CheckoutFailed, CheckoutError } from 'willcall-client/checkout';

const { WILLCALL_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const checkout = new CheckoutClient({ url: WILLCALL_URL, clientId: CLIENT_ID, secret: CLIENT_SECRET });

const quantity = 2;
const listing = await checkout.getListing('demo-payment-1', { quantity });
const delivery = listing.delivery_methods.find(({ type }) => type === 'download');
if (!delivery) throw new Error('These tickets are not delivered by download.');
const total = (listing.price + listing.fees) * quantity + listing.tax + delivery.cost;

try {
  const purchase = await checkout.submitPurchase(
    {
      product: { event_id: '1001', listing_id: listing.listing_id, quantity },
      delivery_method: { type: 'download', data: { email: 'ada@example.com' } },
      payment: {
        type: 'providera_token',
        total: Math.round(total * 100) / 100,
        data: {
          token: 'tok_1',
          first_name: 'Ada',
          last_name: 'Lovelace',
          address1: '12 Analytical Way',
          city: 'New York',
          state: 'NY',
          zip: '10001',
          country: 'US',
        },
      },
      ref_id: 'checkout-4711',
    },
    { transactionId: 'web-4711' },
  );
  console.log(`bought ${purchase.id}: ${purchase.status.status}`);
} catch (error) {
  if (error instanceof CheckoutError) console.log(`refused: ${error.codes.join(', ')}`);
  else if (error instanceof CheckoutFailed && error.purchaseMayExist) console.log('unknown: wait for the ping');
  else throw error;
}
