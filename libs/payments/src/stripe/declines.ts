import type { DeclineCode, Declined } from '../payment-provider.js';
import { word } from './stripe-fault.js';

const CODES: Readonly<Record<string, DeclineCode>> = {
  incorrect_number: 40017,
  invalid_number: 40017,
  incorrect_cvc: 40035,
  invalid_cvc: 40035,
  expired_card: 40039,
  invalid_expiry_month: 40039,
  invalid_expiry_year: 40039,
  incorrect_zip: 40024,
  incorrect_address: 40038,
};

const OTHER_DECLINE: DeclineCode = 40016;

/** What Stripe says of a token that cannot pay, although the request is right. */
const OF_TOKENS = ['resource_missing', 'token_already_used', 'token_invalid', 'payment_method_unexpected_state'];

/** `code` is Stripe's. `declineCode` is the bank's, and says more where `code` is `card_declined`. */
export function declined(code: string | undefined, declineCode: string | undefined): Declined {
  const known = [code, declineCode].find((each) => each !== undefined && each in CODES);
  const reason = word(declineCode) ?? word(code) ?? 'declined';
  return { is: 'declined', reason, code: known === undefined ? OTHER_DECLINE : CODES[known]! };
}

/** This flow has no page of the bank's to which a buyer could be sent. */
export const authenticationDemanded: Declined = declined('authentication_required', undefined);

/** Whether the token itself was refused. */
export const isBadToken = (code: string | undefined, param: string | undefined): boolean =>
  code !== undefined &&
  OF_TOKENS.includes(code) &&
  (param === undefined ? code !== 'resource_missing' : param.startsWith('payment_method'));
