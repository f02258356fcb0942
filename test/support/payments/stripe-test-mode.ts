import { billingAddress as billing } from '../purchase-bodies.js';
import type { CaseSubject } from './provider-cases.js';

const by = (token: string) => ({ type: 'providera_token', token, billing }) as const;

/** Tokens that every account of Stripe has in test mode (https://docs.stripe.com/testing), where card numbers must be allowed first. */
export const stripeTestMode: Omit<CaseSubject, 'provider'> = {
  currency: 'USD',
  good: by('tok_visa'),
  declined: [
    { is: 'declined', method: by('pm_card_visa_chargeDeclined'), code: 40016 },
    { is: 'no funds', method: by('pm_card_visa_chargeDeclinedInsufficientFunds'), code: 40016 },
    { is: 'lost', method: by('pm_card_visa_chargeDeclinedLostCard'), code: 40016 },
    { is: 'expired', method: by('pm_card_chargeDeclinedExpiredCard'), code: 40039 },
    { is: 'wrong CVC', method: by('pm_card_chargeDeclinedIncorrectCvc'), code: 40035 },
    { is: '3-D Secure', method: by('pm_card_authenticationRequired'), code: 40016 },
    { is: 'no such token', method: by('pm_nothing'), code: 40016 },
  ],
  refundsAtOnce: true,
};
