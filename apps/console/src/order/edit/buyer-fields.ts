import type { OrderDetail } from '#orders/order.contract';
import { keysOf, recordOf } from '../../api/keys-of.js';
import type { deskWords } from './order-desk-words.js';
import { buyerSources, firstText } from './buyer.js';

export type BuyerField = keyof (typeof deskWords)['buyerField'];

// The names that the platforms use for the fields.
const NAMES: Readonly<Record<BuyerField, readonly string[]>> = {
  first_name: ['first_name'],
  last_name: ['last_name'],
  email: ['email'],
  phone: ['phone', 'phone_number'],
  address1: ['address1', 'street_address', 'street'],
  address2: ['address2', 'extended_address'],
  city: ['city', 'locality'],
  state: ['state', 'region'],
  zip: ['zip', 'postal_code'],
  country: ['country'],
};

/** The buyer field by field, from the order or from what was revealed. */
export function buyerFieldsOf(
  known: Readonly<Record<string, unknown>>,
  order: OrderDetail,
): Record<BuyerField, string> {
  const sources = buyerSources(known, order);
  return recordOf(keysOf(NAMES), (field) => firstText(sources, NAMES[field]));
}
