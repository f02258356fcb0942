import type { DeliveryType } from '#domain/pricing';
import { countryCode, isPostalCode, stateCode } from './addresses.js';
import type { ErrorCode } from './errors.js';
import type { Fields } from './fields.js';

/** A postal address. `country` is alpha-2, and a known `state` is its code in capitals. Missing fields are absent. */
export type Address = Readonly<{
  first_name: string;
  last_name: string;
  address1: string;
  address2?: string;
  city: string;
  state?: string;
  zip?: string;
  country: string;
}>;
export type ShippingAddress = Address & Readonly<{ phone: string }>;

/** The validated delivery of the tickets: `{type, data}` of the contract. */
export type Delivery =
  | Readonly<{ type: 'ship'; data: ShippingAddress }>
  | Readonly<{ type: 'download'; data: Readonly<{ email?: string }> }>
  | Readonly<{ type: 'transfer'; data: Readonly<{ email: string }> }>
  | Readonly<{ type: 'will_call'; data: Readonly<{ first_name: string; last_name: string }> }>;

export const DELIVERY_TYPES = ['ship', 'download', 'transfer', 'will_call'] as const satisfies DeliveryType[];

type AddressCodes = Readonly<{ name: ErrorCode; address: ErrorCode; state: ErrorCode }>;
export const BILLING: AddressCodes = { name: 40001, address: 40038, state: 40032 };
const SHIPPING: AddressCodes = { name: 40034, address: 40034, state: 40033 };
const INVALID_ZIP = 40024;

/** Reads `delivery_method` of a purchase; undefined (and a fault) when its type or data are invalid. */
export function readDelivery(body: Fields): Delivery | undefined {
  const method = body.object('delivery_method');
  const type = DELIVERY_TYPES.find((known) => known === method?.raw('type'));
  if (!method) return undefined;
  if (!type) {
    method.fault('type');
    return undefined;
  }
  if (type === 'download') return { type, data: optionalEmail(method.optionalObject('data')) };
  const data = method.object('data');
  if (!data) return undefined;
  switch (type) {
    case 'ship':
      return { type, data: { ...readAddress(data, SHIPPING), phone: readPhone(data) } };
    case 'transfer':
      return { type, data: { email: readEmail(data, data.text('email')) } };
    case 'will_call':
      return { type, data: { first_name: data.text('first_name'), last_name: data.text('last_name') } };
  }
}

/** Reads the fields that billing and shipping addresses share. Each has its own error code per use. */
export function readAddress(data: Fields, codes: AddressCodes): Address {
  const address2 = data.optionalText('address2', codes.address);
  return {
    first_name: data.text('first_name', codes.name),
    last_name: data.text('last_name', codes.name),
    address1: data.text('address1', codes.address),
    ...(address2 === undefined ? {} : { address2 }),
    city: data.text('city', codes.address),
    ...readRegion(data, codes),
  };
}

function readRegion(data: Fields, codes: AddressCodes): Pick<Address, 'country' | 'state' | 'zip'> {
  const sent = data.text('country', codes.address);
  const state = data.optionalText('state', codes.state);
  const zip = data.optionalText('zip', INVALID_ZIP);
  const country = countryCode(sent);
  if (country === null) {
    // The form of a state and a ZIP code depends on the country.
    if (sent !== '') data.fault('country', codes.address);
    return { country: '' };
  }
  const code = stateCode(country, state ?? '');
  if (code === null) data.fault('state', codes.state);
  if (!isPostalCode(country, zip ?? '')) data.fault('zip', INVALID_ZIP);
  return { country, ...(code ? { state: code } : {}), ...(zip ? { zip } : {}) };
}

function readPhone(data: Fields): string {
  const phone = data.optionalText('phone', SHIPPING.address);
  if (phone === undefined) data.fault('phone', SHIPPING.address);
  return phone ?? '';
}

function optionalEmail(data: Fields | null): { email?: string } {
  const email = data?.optionalText('email');
  return data && email ? { email: readEmail(data, email) } : {};
}

function readEmail(data: Fields, email: string): string {
  // Only a mail can prove that an address exists. This rejects impossible ones, in linear time.
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) data.fault('email');
  return email;
}
