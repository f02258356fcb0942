import type { Declined, DeclineCode } from '../payment-provider.js';
import type { BraintreeRefusal } from './braintree-errors.js';
import { eventOf, type StatusEvent, type Transaction } from './payments.js';

const OTHER: DeclineCode = 40016;
const ADDRESS: DeclineCode = 40038;
const POSTAL_CODE: DeclineCode = 40024;

const BY_PROCESSOR: Readonly<Record<string, DeclineCode>> = {
  2004: 40039,
  2005: 40017,
  2006: 40039,
  2010: 40035,
  2059: ADDRESS,
  2060: 40035,
};
const BY_GATEWAY: Readonly<Record<string, DeclineCode>> = { AVS: ADDRESS, CVV: 40035, AVS_AND_CVV: 40035 };

/** Why a transaction was declined or rejected. */
export function declined(transaction: Transaction): Declined {
  const { status } = transaction;
  const event = eventOf(transaction, status);
  const rejection = event?.gatewayRejectionReason;
  const answer = event?.processorResponse?.legacyCode;
  if (status === 'GATEWAY_REJECTED') {
    const code = BY_GATEWAY[rejection ?? ''] ?? OTHER;
    return {
      is: 'declined',
      reason: `rejected by Braintree: ${rejection ?? 'no reason'}`,
      code: byAddress(code, event),
    };
  }
  const code = BY_PROCESSOR[answer ?? ''] ?? OTHER;
  return { is: 'declined', reason: `declined by the bank: ${answer ?? 'no code'}`, code: byAddress(code, event) };
}

/** The street is right and the postal code is not. */
function byAddress(code: DeclineCode, event: StatusEvent | undefined): DeclineCode {
  const { avsPostalCodeResponse: postalCode, avsStreetAddressResponse: street } = event?.processorResponse ?? {};
  return code === ADDRESS && postalCode === 'DOES_NOT_MATCH' && street === 'MATCHES' ? POSTAL_CODE : code;
}

// 817xx and 818xx: the card or its address. The others: the nonce or the vaulted method.
const OF_METHOD = /^(81[78]\d\d|915(11|1[5-8]|64|65)|931\d\d)$/;

/** A refusal because of the card, the nonce or the vaulted method. Undefined if it is for another reason, such as our settings. */
export function declinedMethod(refusal: BraintreeRefusal): Declined | undefined {
  const isOfMethod = refusal.reported.every(
    ({ errorClass, legacyCode, inputPath }) =>
      OF_METHOD.test(legacyCode ?? '') ||
      inputPath.includes('paymentMethodId') ||
      // Besides the payment method, no id is sent.
      errorClass === 'NOT_FOUND',
  );
  const codes = refusal.reported.map(({ legacyCode }) => legacyCode ?? 'unknown').join(', ');
  return isOfMethod ? { is: 'declined', reason: `the payment method was refused: ${codes}`, code: OTHER } : undefined;
}
