import { describe, expect, it } from 'vitest';
import { declined, isBadToken } from './declines.js';

describe('a decline', () => {
  it.each([
    ['incorrect_number', 40017],
    ['invalid_number', 40017],
    ['incorrect_cvc', 40035],
    ['invalid_cvc', 40035],
    ['expired_card', 40039],
    ['invalid_expiry_month', 40039],
    ['invalid_expiry_year', 40039],
    ['incorrect_zip', 40024],
    ['incorrect_address', 40038],
    ['processing_error', 40016],
    ['authentication_required', 40016],
  ])('for %s has the code %i, whether Stripe or the bank says so', (word, code) => {
    expect(declined(word, undefined)).toEqual({ is: 'declined', code, reason: word });
    expect(declined('card_declined', word)).toEqual({ is: 'declined', code, reason: word });
  });

  it('gives the reason of the bank rather than that of Stripe', () => {
    expect(declined('card_declined', 'lost_card').reason).toBe('lost_card');
    expect(declined('card_declined', undefined).reason).toBe('card_declined');
    expect(declined(undefined, undefined).reason).toBe('declined');
  });

  it('shows nothing that is no word', () => {
    expect(declined('4242424242424242', '4242 4242').reason).toBe('declined');
  });
});

describe('a refused request', () => {
  it.each([
    ['resource_missing', 'payment_method', true],
    ['resource_missing', 'intent', false],
    ['resource_missing', undefined, false],
    ['token_already_used', undefined, true],
    ['parameter_missing', 'payment_method', false],
    [undefined, 'payment_method', false],
  ])('with the code %s for %s is because of the token: %s', (code, param, is) => {
    expect(isBadToken(code, param)).toBe(is);
  });
});
