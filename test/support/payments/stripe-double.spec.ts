import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentProvider } from '#payments/payment-provider';
import { until } from '../until.js';
import { connectedStripe, heldPayment, paidBy, takenPayment } from './connected-stripe.js';
import {
  chargeObject,
  disputeObject,
  eventObject,
  fileObject,
  intentObject,
  lineObject,
  methodObject,
  payoutObject,
  refundObject,
} from './stripe/objects.js';
import type { StripeDouble } from './stripe-double.js';

const FIXTURES = new URL('../../../../shared/payments/stripe-fixtures.json', import.meta.url);
const hasFixtures = existsSync(FIXTURES);
if (!hasFixtures) console.log('Skipped: the shapes of the double of Stripe (no ../shared/payments).');

/** Stripe leaves them out where they say nothing, and the examples have nothing to say. */
const OPTIONAL = ['refund.failure_reason', 'charge.payment_method_details.card.capture_before'];

let double: StripeDouble;
let provider: PaymentProvider;

beforeEach(async () => {
  ({ double, provider } = await connectedStripe());
});
afterEach(() => double.stop());

describe.skipIf(!hasFixtures)('what the double of Stripe answers', () => {
  it('has the shape of what Stripe answers', async () => {
    const { reference } = await takenPayment(provider, 'ord_1');
    await heldPayment(provider, 'ord_2');
    const failing = await takenPayment(provider, 'ord_3', paidBy({ number: '4000000000005126' }));
    double.refundByHand(failing.reference, 100);
    double.closeDispute(double.openDispute(reference), 'won');
    double.payOut(100);
    double.settle();
    const { book } = double;
    book.files.push({ id: 'file_1', name: 'a.pdf', type: 'application/pdf', size: 1, created: 1 });
    const intents = [...book.intents.values()];
    const shown = [
      ...intents.map((intent) => intentObject(intent)),
      ...intents.flatMap(({ charge }) => (charge ? [chargeObject(charge)] : [])),
      ...[...book.methods.values()].map(methodObject),
      ...book.refundRecords.map(refundObject),
      ...book.disputes.map(disputeObject),
      ...book.lines.map((line) => lineObject(line)),
      ...book.payouts.map(payoutObject),
      ...book.files.map(fileObject),
      ...book.events.map((event) => ({ ...eventObject(event), data: {} })),
    ];
    expect(new Set(shown.map(kindOf)).size).toBe(9);
    expect(shown.flatMap((object) => differences(object, example(kindOf(object)), kindOf(object)))).toEqual([]);
  });

  it('is compared so that another name or type is found', () => {
    const wrong = { id: 1, object: 'refund', amounts: 1, destination_details: { card: 'reversal' } };
    expect(differences(wrong, example('refund'), 'refund')).toEqual([
      'refund.id is a number, not a string',
      'refund.amounts is unknown',
      'refund.destination_details.card is a string, not an object',
    ]);
  });
});

describe('webhooks of the double', () => {
  let received: { type: string; signature: string }[];
  let receiver: ReturnType<typeof createServer>;
  let address: string;

  beforeEach(async () => {
    received = [];
    receiver = createServer(async (request, response) => {
      const { type } = JSON.parse(await text(request)) as { type: string };
      received.push({ type, signature: String(request.headers['stripe-signature']) });
      response.end();
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    receiver.close();
    receiver.closeAllConnections();
  });

  const types = () => received.map(({ type }) => type);

  it('come before the answer, if a test wants that', async () => {
    double.sendWebhooksTo(address, 'first');
    await heldPayment(provider, 'ord_1');
    expect(types()).toEqual(['payment_intent.amount_capturable_updated']);
    expect(received[0]?.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  });

  it('come by themselves', async () => {
    double.sendWebhooksTo(address, 'at-once');
    await heldPayment(provider, 'ord_1');
    await until(() => received.length === 1);
  });

  it('come late, twice and in the wrong order, if a test wants that', async () => {
    double.sendWebhooksTo(address, 'held');
    await takenPayment(provider, 'ord_1');
    expect(received).toEqual([]);
    expect(await double.deliver({ twice: true, reversed: true })).toEqual([200, 200, 200, 200, 200, 200]);
    const [captured, charged, held] = [
      'payment_intent.succeeded',
      'charge.captured',
      'payment_intent.amount_capturable_updated',
    ];
    expect(types()).toEqual([captured, captured, charged, charged, held, held]);
    expect(await double.deliver()).toEqual([]);
  });

  it('never come, if a test wants that', async () => {
    double.sendWebhooksTo(address, 'never');
    await takenPayment(provider, 'ord_1');
    double.sendWebhooksTo(address, 'held');
    expect(await double.deliver()).toEqual([]);
  });
});

const kindOf = (object: object): string => String(Reflect.get(object, 'object'));

function example(kind: string): unknown {
  const { resources } = JSON.parse(readFileSync(FIXTURES, 'utf8')) as { resources: Record<string, unknown> };
  return resources[kind];
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
const named = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** Where `shown` has a name or a type that `known` has not. Nothing is known of what is null or empty there. */
function differences(shown: unknown, known: unknown, path: string): string[] {
  if (shown === null || known === null) return [];
  if (typeOf(shown) !== typeOf(known)) return [`${path} is ${named(typeOf(shown))}, not ${named(typeOf(known))}`];
  if (typeof shown !== 'object' || Array.isArray(shown)) return [];
  const fields = known as Record<string, unknown>;
  if (Object.keys(fields).length === 0) return [];
  return Object.entries(shown).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    if (OPTIONAL.includes(at)) return [];
    return name in fields ? differences(value, fields[name], at) : [`${at} is unknown`];
  });
}
