import { Webhook } from 'standardwebhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { SystemRandomness } from '#base/randomness';
import { CheckoutCode, type Listing, type Purchase } from '#client/checkout';
import type { OrderStatus } from '#client/order-status';
import type { PingEntry } from '#client/pings';
import { authorizationFor, isSignedBy } from '#client/signature';
import { isOrderStatus, verifyWebhook } from '#client/webhooks';
import { ERRORS } from '#web/errors.contract';
import type { CheckoutListing } from '#listings/checkout-listing.contract';
import type { Purchase as ContractPurchase } from '#orders/purchase.contract';
import type { StreamedPing } from '#outbound/ping-stream.contract';
import type { StatusValue } from '#domain/status';
import { headersOf } from '#delivery-kit/signed-message';
import { entryMessage, testMessage } from '#outbound/webhook-message';
import { generateSecret } from '#outbound/webhook-secret';
import { authorizationHeader, parseAuthorization, verify } from '#base/signature';
import { entryAt } from './support/ping-stream/simulated-stream.js';

/** The published client imports no other lib. This test ensures that it agrees with the api. */
describe('willcall-client', () => {
  it('has types that match what the api returns', () => {
    expectTypeOf<CheckoutListing>().toExtend<Listing>();
    expectTypeOf<ContractPurchase>().toExtend<Purchase>();
    expectTypeOf<z.infer<typeof StreamedPing>>().toExtend<PingEntry>();
    expectTypeOf<StatusValue>().toEqualTypeOf<OrderStatus>();
  });

  it('has the error codes of the checkout', () => {
    const known = Object.entries(CheckoutCode).map(([name, code]) => [code, name] as const);
    const ofCheckout = Object.keys(ERRORS)
      .map(Number)
      .filter((code) => code <= 40_100);
    expect(known.map(([code]) => code)).toEqual(ofCheckout);
    const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
    for (const [code, name] of known) {
      const { message } = ERRORS[code];
      expect(plain(message).includes(plain(name)) || DIFFER[name] === message, `${name}: ${message}`).toBe(true);
    }
  });

  it('makes and verifies the same signatures as the api', () => {
    const request = { method: 'POST', path: '/checkout/v1/purchases', body: Buffer.from('{"é":1}') };
    const secret = 'correct-horse-battery-staple';
    const ours = parseAuthorization('XX', authorizationFor(request, { clientId: 'p-1', secret }));
    expect(ours && verify({ ...request, secret }, ours.digest)).toBe(true);
    const theirs = authorizationHeader('XX', 'p-1', { ...request, secret });
    expect(isSignedBy(theirs, request, { clientId: 'p-1', secrets: [secret] })).toBe(true);
  });

  it('verifies webhooks, with either secret during a rotation', () => {
    const [old, current] = [generateSecret(new SystemRandomness()), generateSecret(new SystemRandomness())];
    const entry = entryAt(7);
    const message = entryMessage({ type: 'order.status', ...entry, json: JSON.stringify(entry) });
    const tried = testMessage('msg_1', 'whk_1', entry.occurred_at);
    const at = Date.now();
    for (const { id, body } of [message, tried]) {
      const headers = headersOf({ id, body }, [new Webhook(current), new Webhook(old)], at);
      for (const secret of [old, current]) {
        const event = verifyWebhook({ headers, body }, { secrets: [secret], now: () => at });
        expect(event).toMatchObject({ id, timestamp: entry.occurred_at });
        expect(isOrderStatus(event) ? event.data : event.type).toEqual(id === entry.id ? entry : 'webhook.test');
      }
    }
  });
});

const DIFFER: Record<string, string> = {
  InvalidField: 'Missing or invalid field',
  QuantityNotAvailable: 'Quantity selected not available',
  InvalidCardNumber: 'Invalid credit card number',
  NotAuthenticated: 'Authentication failed',
};
