import { z } from 'zod';
import { MarketFields } from '../market-fields.js';
import { text } from '../text.js';
import { MAX_TEXT } from './fields.js';
import { MAX_TOKEN } from './payment.js';

/**
 * The body of POST /purchases in the OpenAPI document. `validatePurchase` decides: it is stricter where a rule needs more than one
 * field or a list of codes. A spec compares the two. Unknown keys are ignored.
 */

const optionalText = text(MAX_TEXT).nullish();
const requiredText = text(MAX_TEXT).min(1);
const dollars = z.number().min(0);
const refId = requiredText
  .nullish()
  .meta({ description: 'kept with the purchase, sent back as it came, unique among the purchases of a client' });

const product = {
  event_id: requiredText.meta({ description: 'marketplace id of the event' }),
  listing_id: requiredText.meta({ description: 'marketplace id of the listing' }),
  quantity: z.int().min(1),
};

export const User = z
  .object({
    email: optionalText,
    phone: optionalText,
    ip_address: optionalText,
    location: z.object({ lat: z.number().nullish(), lon: z.number().nullish() }).nullish(),
  })
  .meta({ id: 'User' });

const address = {
  first_name: requiredText,
  last_name: requiredText,
  address1: requiredText,
  address2: optionalText,
  city: requiredText,
  state: optionalText.meta({ description: 'ISO 3166-2 code without the country; required in US, CA and AU' }),
  zip: optionalText.meta({ description: 'required where the country has postal codes' }),
  country: requiredText.meta({ description: 'ISO 3166-1 alpha-2 or alpha-3' }),
};

export const ShippingAddress = z.object({ ...address, phone: text(MAX_TEXT) }).meta({ id: 'ShippingAddress' });

export const CardPayment = z
  .object({
    total: dollars.meta({ description: 'US dollars; equal to the cent to what will be charged' }),
    type: z.literal('creditcard'),
    data: z.object({
      card_number: z.string(),
      expiry_month: z.string().meta({ description: 'MM' }),
      expiry_year: z.string().meta({ description: 'YYYY or YY' }),
      cvv: z.string(),
      ...address,
    }),
  })
  .meta({ id: 'CardPayment' });

export const TokenPayment = z
  .object({
    total: dollars.meta({ description: 'US dollars; equal to the cent to what will be charged' }),
    type: z.enum(['providera_token', 'providerb_token']),
    data: z.object({ token: text(MAX_TOKEN).min(1), ...address }),
  })
  .meta({ id: 'TokenPayment' });

export const DeliveryMethod = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('ship'), data: ShippingAddress }),
    z.object({ type: z.literal('download'), data: z.object({ email: optionalText }).nullish() }),
    z.object({ type: z.literal('transfer'), data: z.object({ email: requiredText }) }),
    z.object({ type: z.literal('will_call'), data: z.object({ first_name: requiredText, last_name: requiredText }) }),
  ])
  .meta({ id: 'DeliveryMethod' });

export const PaymentPurchaseRequest = z
  .object({
    product: z.object(product),
    user: User.nullish(),
    payment: z.discriminatedUnion('type', [CardPayment, TokenPayment]),
    delivery_method: DeliveryMethod,
    market_specific_fields: MarketFields.nullish(),
    ref_id: refId,
    is_trusted_user: z
      .unknown()
      .optional()
      .meta({ description: '`true`, `"true"`, `"1"` or `1`: not screened, not held for review' }),
  })
  .meta({
    id: 'PaymentPurchaseRequest',
    examples: [
      {
        product: { event_id: '1001', listing_id: 'demo-any-1', quantity: 2 },
        user: { email: 'ada@example.com' },
        payment: {
          type: 'providera_token',
          total: 115,
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
        delivery_method: { type: 'download', data: { email: 'ada@example.com' } },
        ref_id: 'checkout-4711',
      },
    ],
  });

export const WholesalePurchaseRequest = z
  .object({
    product: z.object({ ...product, total: dollars.meta({ description: 'US dollars; the total wholesale price' }) }),
    user: User.nullish(),
    market_specific_fields: MarketFields.nullish(),
    ref_id: refId,
    is_trusted_user: z.unknown().optional().meta({ description: 'as in the payment variant' }),
  })
  .meta({
    id: 'WholesalePurchaseRequest',
    examples: [
      {
        product: { event_id: '1001', listing_id: 'demo-any-1', quantity: 2, total: 90 },
        user: { email: 'ada@example.com', phone: '+1 212 555 0100' },
        ref_id: 'checkout-4711',
      },
    ],
  });
