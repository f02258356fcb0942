import { billingAddress as billing } from '../purchase-bodies.js';
import type { CaseSubject } from './provider-cases.js';

const by = (token: string) => ({ type: 'providerb_token', token, billing }) as const;

/** Nonces that every account of the sandbox has (https://developer.paypal.com/braintree/docs/reference/general/testing). */
export const braintreeTestMode: Omit<CaseSubject, 'provider'> = {
  currency: 'USD',
  good: by('fake-valid-nonce'),
  declined: [
    { is: 'declined', method: by('fake-processor-declined-visa-nonce'), code: 40016 },
    { is: 'fraud', method: by('fake-gateway-rejected-fraud-nonce'), code: 40016 },
    { is: 'used up', method: by('fake-consumed-nonce'), code: 40016 },
  ],
  // Hours later, when it has settled.
  refundsAtOnce: false,
};
