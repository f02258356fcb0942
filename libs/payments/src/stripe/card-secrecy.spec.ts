import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectedStripe, paidBy, paymentRequest } from '../../../../test/support/payments/connected-stripe.js';
import type { ProviderFault } from '../../../../test/support/payments/provider-double.js';
import type { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import type { PaymentProvider } from '../payment-provider.js';

const NUMBER = '4000000000000069';
const CVV = '7413';
const TOKEN = 'tok_1Secret9';

/** A careless provider that says back what it was sent, wherever it can. */
const ECHO = {
  message: `${NUMBER} ${CVV}`,
  code: `code_${NUMBER}`,
  decline_code: `${NUMBER}_${CVV}`,
  param: `payment_method_data[card][${NUMBER}]`,
  request_log_url: `https://stripe.example/${NUMBER}`,
  payment_method: { card: { number: NUMBER, cvc: CVV } },
};

const FAULTS: readonly (ProviderFault | undefined)[] = [
  undefined,
  'refused',
  'unauthorised',
  'conflict',
  'broken',
  'broken-saved',
  'done-broken',
  'dropped',
  'done-dropped',
  'silent',
  'done-silent',
];

let double: StripeDouble;
let provider: PaymentProvider;

beforeEach(async () => {
  ({ double, provider } = await connectedStripe(200));
  double.errorFields = ECHO;
});
afterEach(() => double.stop());

/** All that a log could show of it, hidden fields and causes too. */
const shown = (value: unknown) =>
  inspect(value, { depth: Infinity, showHidden: true }) +
  (value instanceof Error ? `${value.stack} ${value.message}` : '');

const outcomeOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe.each(['prepare', 'authorise'] as const)('a fault while the step is to %s', (step) => {
  it.each(FAULTS)('(%s) shows nothing of the card', async (fault) => {
    const request = paymentRequest('ord_1', paidBy({ number: NUMBER, cvv: CVV }));
    const prepared = await provider.prepare(request, AbortSignal.timeout(10_000));
    if (fault) double.fail({ seed: 1, rates: { [fault]: 1 } });
    const outcome = await outcomeOf(
      step === 'prepare'
        ? provider.prepare(request, AbortSignal.timeout(300))
        : provider.authorise(prepared, request, AbortSignal.timeout(300)),
    );
    expect(shown(outcome)).not.toContain(NUMBER);
    expect(shown(outcome)).not.toContain(CVV);
    double.fail(undefined);
    const concluded = await outcomeOf(provider.conclude(prepared));
    expect(shown(concluded)).not.toContain(NUMBER);
  });
});

it('a refused token shows nothing of it', async () => {
  const method = { type: 'providera_token', token: TOKEN, billing: {} } as const;
  double.errorFields = { ...ECHO, message: TOKEN, code: `code_${TOKEN}` };
  const request = paymentRequest('ord_1', method);
  const prepared = await provider.prepare(request, AbortSignal.timeout(10_000));
  const outcome = await outcomeOf(provider.authorise(prepared, request, AbortSignal.timeout(2_000)));
  expect(shown(outcome)).not.toContain(TOKEN);
});

it('what the provider says of a fault is left out, and its code is kept', async () => {
  double.errorFields = { message: NUMBER };
  double.next('unauthorised', 'capture');
  const capture = { orderId: 'ord_1', reference: 'pi_1', amountCents: 1, currency: 'USD', key: 'ord_1-capture-1' };
  const error = await outcomeOf(provider.capture(capture));
  expect(String(error)).toMatch(
    /^Error: Stripe: .+ failed \(40[14], (?:resource_missing, intent, )?req_double\d+\)\.$/,
  );
});
