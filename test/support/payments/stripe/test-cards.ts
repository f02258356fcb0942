/** https://docs.stripe.com/testing, as far as Willcall needs it. The account has rules that decline a failed check of the address. */
type Decline = Readonly<{ code: string; decline_code: string }>;

const declined = (decline_code: string): Decline => ({ code: 'card_declined', decline_code });
const wrong = (code: string): Decline => ({ code, decline_code: code });

const DECLINES: Readonly<Record<string, Decline>> = {
  '4000000000000002': declined('generic_decline'),
  '4000000000009995': declined('insufficient_funds'),
  '4000000000009987': declined('lost_card'),
  '4000000000000069': wrong('expired_card'),
  '4000000000000127': wrong('incorrect_cvc'),
  '4000000000000119': wrong('processing_error'),
  '4000000000000036': wrong('incorrect_zip'),
  '4000000000000028': wrong('incorrect_address'),
};

export const AUTHENTICATION_CARD = '4000002760003184';
export const FAILING_REFUND_CARD = '4000000000005126';
export const DISPUTED_CARD = '4000000000000259';

/** Of tokens and payment methods that every account has. */
const NUMBERS: Readonly<Record<string, string>> = {
  visa: '4242424242424242',
  visa_chargeDeclined: '4000000000000002',
  visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  visa_chargeDeclinedLostCard: '4000000000009987',
  chargeDeclinedExpiredCard: '4000000000000069',
  chargeDeclinedIncorrectCvc: '4000000000000127',
  authenticationRequired: AUTHENTICATION_CARD,
  refundFail: FAILING_REFUND_CARD,
  createDispute: DISPUTED_CARD,
};

export const declineOf = (number: string): Decline | undefined => DECLINES[number];

export const numberOfToken = (token: string): string | undefined => NUMBERS[token.replace(/^(?:tok|pm_card)_/, '')];

/** The check digit (Luhn). */
export function isCardNumber(number: string): boolean {
  const digits = Array.from(number).toReversed().map(Number);
  const sum = digits.reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : ((digit * 2) % 10) + Math.floor(digit / 5)),
    0,
  );
  return /^\d{12,19}$/.test(number) && sum % 10 === 0;
}
