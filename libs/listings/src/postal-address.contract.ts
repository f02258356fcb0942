import { z } from 'zod';
import { isJsonObject } from '#base/text';
import { countryCode, isPostalCode, stateCode } from './addresses.contract.js';
import { anyText, coded, MAX_TEXT, optionalText, requiredText } from '#web/coded-text.contract';
import type { ErrorCode } from '#web/errors.contract';

/** The error codes of an address: of its names, its state, and its other fields. */
export type AddressCodes = Readonly<{ name: ErrorCode; address: ErrorCode; state: ErrorCode }>;

export const BILLING: AddressCodes = { name: 40001, address: 40038, state: 40032 };
export const SHIPPING: AddressCodes = { name: 40034, address: 40034, state: 40033 };
const INVALID_ZIP = 40024;

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

/** The fields that a tax or a delivery cost depends on. */
export function regionFields(codes: AddressCodes) {
  return {
    state: optionalText(codes.state).meta({
      description: 'ISO 3166-2 code without the country; required in US, CA and AU',
    }),
    country: requiredText(codes.address)
      .refine((country) => countryCode(country) !== null, coded(codes.address))
      .meta({ description: 'ISO 3166-1 alpha-2 or alpha-3; also `UK` and `XK`' }),
  };
}

/** Empty for people with one name. It stands in `first_name`. */
export function lastName(code?: ErrorCode) {
  return anyText(code).meta({ description: 'empty for a person with one name' });
}

/** The fields that billing and shipping addresses share. */
export function addressFields(codes: AddressCodes) {
  const { state, country } = regionFields(codes);
  return {
    first_name: requiredText(codes.name),
    last_name: lastName(codes.name),
    address1: requiredText(codes.address),
    address2: optionalText(codes.address),
    city: requiredText(codes.address),
    state,
    zip: optionalText(INVALID_ZIP).meta({ description: 'may be empty where postal codes are hardly used' }),
    country,
  };
}

/** Issue parameters of a rule over several fields. The rule is checked even when other fields are invalid. */
function acrossFields(field: string, code: ErrorCode) {
  return { ...coded(code), path: [field], when: ({ value }: z.core.ParsePayload) => isJsonObject(value) };
}

export const knownState = (codes: AddressCodes) =>
  z.refine<Unchecked>(
    ({ country, state }) => {
      const code = countryCode(textOf(country));
      return code === null || stateCode(code, textOf(state)) !== null;
    },
    acrossFields('state', codes.state),
  );

export const knownPostalCode = z.refine<Unchecked>(
  ({ country, zip }) => {
    const code = countryCode(textOf(country));
    return code === null || isPostalCode(code, textOf(zip));
  },
  acrossFields('zip', INVALID_ZIP),
);

type Unchecked = Readonly<{ country?: unknown; state?: unknown; zip?: unknown }>;

function textOf(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_TEXT ? value : '';
}

type Sent = z.output<z.ZodObject<ReturnType<typeof addressFields>>>;

/** Brings country and state to their codes and leaves out what was not sent. */
export function addressOf(sent: Sent): Address {
  const { first_name, last_name, address1, address2, city, zip } = sent;
  return {
    first_name,
    last_name,
    address1,
    ...(address2 === null || address2 === undefined ? {} : { address2 }),
    city,
    ...placeOf(sent),
    ...(zip ? { zip } : {}),
  };
}

export function placeOf(sent: Pick<Sent, 'country' | 'state'>): Pick<Address, 'country' | 'state'> {
  const country = countryCode(sent.country) ?? '';
  const state = stateCode(country, sent.state ?? '');
  return { country, ...(state ? { state } : {}) };
}
