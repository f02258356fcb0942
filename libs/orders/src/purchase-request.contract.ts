import { z } from 'zod';
import { emailAddressOrEmpty } from '#base/email-address';
import { SubmittedMarketFields } from '#web/market-fields.contract';
import { anyText, coded, optionalText, requiredText } from '#web/coded-text.contract';
import { DeliveryMethod } from '#listings/delivery.contract';
import { SubmittedPayment, total } from './payment.contract.js';

// The database counts stock as int.
const MAX_QUANTITY = 2 ** 31 - 1;

const INVALID_QUANTITY = coded(40009);

export const product = {
  event_id: requiredText().meta({ description: 'marketplace id of the event' }),
  listing_id: requiredText(40012).meta({ description: 'marketplace id of the listing' }),
  quantity: z.int(INVALID_QUANTITY).min(1, INVALID_QUANTITY).max(MAX_QUANTITY, INVALID_QUANTITY),
};

export const wholesaleTotal = total('US dollars; the total wholesale price');

export const refId = anyText()
  .min(1)
  .nullish()
  .meta({ description: 'stored and sent back unchanged; unique among the purchases of a client' });

const coordinate = z.number().nullish();

const Location = z.object({ lat: coordinate, lon: coordinate });

const User = z
  .object({
    email: emailAddressOrEmpty(coded(40001).error).nullish(),
    phone: optionalText(),
    ip_address: optionalText(),
    location: Location.nullish(),
  })
  .meta({ id: 'User' });

/** The fields that both variants share. */
const common = {
  user: User.nullish(),
  ref_id: refId,
  market_specific_fields: SubmittedMarketFields.nullish(),
  is_trusted_user: z
    .unknown()
    .optional()
    .meta({ description: '`true`, `"true"`, `"1"` or `1`: not screened, not held for review' }),
};

// zod leaves `examples` of a schema that transforms out of a document of its input. `example` is OpenAPI's own.

/** Body of POST /purchases in the payment variant. Its output is the purchase, before the listing is checked. */
export const PaymentPurchaseRequest = z
  .object({
    product: z.object(product),
    payment: SubmittedPayment,
    delivery_method: DeliveryMethod,
    ...common,
  })
  .meta({
    id: 'PaymentPurchaseRequest',
    example: {
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
  })
  .transform(({ product, payment: { total_cents, payment }, delivery_method, ...sent }) => {
    return { variant: 'payment' as const, product, total_cents, payment, delivery_method, ...commonOf(sent) };
  });
export type PaymentPurchase = z.output<typeof PaymentPurchaseRequest>;

/** Body of POST /purchases in the wholesale variant. */
export const WholesalePurchaseRequest = z
  .object({ product: z.object({ ...product, total: wholesaleTotal }), ...common })
  .meta({
    id: 'WholesalePurchaseRequest',
    example: {
      product: { event_id: '1001', listing_id: 'demo-any-1', quantity: 2, total: 90 },
      user: { email: 'ada@example.com', phone: '+1 212 555 0100' },
      ref_id: 'checkout-4711',
    },
  })
  .transform(({ product: { total: total_cents, ...product }, ...sent }) => {
    return { variant: 'wholesale' as const, product, total_cents, ...commonOf(sent) };
  });
export type WholesalePurchase = z.output<typeof WholesalePurchaseRequest>;

type Common = z.output<z.ZodObject<typeof common>>;

function commonOf({ user, ref_id, is_trusted_user: trusted, market_specific_fields }: Common) {
  return {
    user: user ? userOf(user) : null,
    ref_id: ref_id ?? null,
    trusted: trusted === true || trusted === 'true' || trusted === '1' || trusted === 1,
    market_specific_fields: market_specific_fields ?? null,
  };
}

function userOf({ email, phone, ip_address, location }: z.output<typeof User>) {
  return {
    ...(isSent(email) && { email }),
    ...(isSent(phone) && { phone }),
    ...(isSent(ip_address) && { ip_address }),
    ...(location && { location: locationOf(location) }),
  };
}

function locationOf({ lat, lon }: z.output<typeof Location>) {
  return { ...(isSent(lat) && { lat }), ...(isSent(lon) && { lon }) };
}

function isSent<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}
