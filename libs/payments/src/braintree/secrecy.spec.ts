import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderFault } from '../../../../test/support/payments/provider-double.js';
import {
  type ConnectedBraintree,
  cardPayment,
  connectedBraintree,
} from '../../../../test/support/payments/connected-braintree.js';

const FAULTS: readonly ProviderFault[] = [
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
const NUMBER = '4111111111111111';
const CVV = '83791';

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

/** Everything of an error that a log could write, its cause and what it hides included. */
function everythingOf(error: unknown): string {
  const options = { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null, getters: true } as const;
  return `${inspect(error, options)} ${JSON.stringify(error, Object.getOwnPropertyNames(error))}`;
}

function expectNothingOf(error: unknown): void {
  expect(error).toBeInstanceOf(Error);
  const text = everythingOf(error);
  for (const secret of [NUMBER, CVV, 'private-key', Buffer.from('public-key:private-key').toString('base64')]) {
    expect(text).not.toContain(secret);
  }
}

const request = (number = NUMBER) => cardPayment({ card: { number, cvv: CVV } });
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an error has nothing of the card, and nothing of the keys', () => {
  it.each(FAULTS)('while the card becomes a token: %s', async (fault) => {
    braintree.double.fail({ seed: 1, rates: { [fault]: 1 } });
    expectNothingOf(await caught(braintree.provider.prepare(request(), braintree.shortSignal())));
  });

  it('if Braintree refuses the card', async () => {
    expectNothingOf(await caught(braintree.provider.prepare(request(`${NUMBER}123456`), braintree.signal())));
  });

  it.each(FAULTS)('while the amount is authorised: %s', async (fault) => {
    const prepared = await braintree.provider.prepare(request(), braintree.signal());
    braintree.double.fail({ seed: 1, rates: { [fault]: 1 } });
    expectNothingOf(await caught(braintree.provider.authorise(prepared, request(), braintree.shortSignal())));
  });

  it('if nobody listens there', async () => {
    await braintree.double.stop();
    expectNothingOf(await caught(braintree.provider.prepare(request(), braintree.shortSignal())));
    braintree = await connectedBraintree();
  });
});

it('neither the token nor its key has anything of the card', async () => {
  const prepared = await braintree.provider.prepare(request(), braintree.signal());
  expect(JSON.stringify(prepared)).not.toMatch(new RegExp(`${NUMBER}|${CVV}|1111`));
});
