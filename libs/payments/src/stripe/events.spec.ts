import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FixedClock } from '../../../../test/support/fixed-clock.js';
import { connectedStripe, paidBy, takenPayment } from '../../../../test/support/payments/connected-stripe.js';
import type { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import type { PaymentProvider } from '../payment-provider.js';
import { type ProviderEvent, WebhookRefused } from '../provider-events.js';

let double: StripeDouble;
let provider: PaymentProvider;
let clock: FixedClock;
let payment: Awaited<ReturnType<typeof takenPayment>>;

beforeEach(async () => {
  ({ double, provider, clock } = await connectedStripe());
  payment = await takenPayment(provider, 'ord_1');
});
afterEach(() => double.stop());

async function listed(after: string | null = null): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.events(after) ?? []) events.push(event);
  return events;
}

const facts = async (type: string) => (await listed()).filter((event) => event.type === type).map(({ fact }) => fact);
const ofOrder = (orderId: string | null = 'ord_1') => ({ payment: payment.reference, orderId });

describe('the list of events', () => {
  it('comes oldest first, over all its pages', async () => {
    const events = await listed();
    expect(events.map(({ type }) => type)).toEqual([
      'payment_intent.amount_capturable_updated',
      'charge.captured',
      'payment_intent.succeeded',
    ]);
    await provider.refund({ ...payment, refundId: 'rf_1', key: 'ord_1-refund-1', isWhole: true });
    double.refundByHand((await takenPayment(provider, 'ord_2')).reference, 500);
    const all = await listed();
    expect(all.length).toBeGreaterThan(6);
    expect(all.slice(0, 3)).toEqual(events);
    expect(all.map(({ id }) => id)).toEqual(double.book.events.map(({ id }) => id));
  });

  it('goes on after a known event', async () => {
    await takenPayment(provider, 'ord_2');
    const all = await listed();
    for (const [at, { id }] of all.entries()) expect(await listed(id)).toEqual(all.slice(at + 1));
  });

  it('begins anew when Stripe has forgotten the last known event', async () => {
    expect(await listed('evt_older_than_thirty_days')).toEqual(await listed());
  });

  it('is an error of ours when Stripe does not answer', async () => {
    double.next('broken', 'read');
    await expect(listed()).rejects.toThrow('Stripe: reading events failed (500');
  });
});

describe('an event', () => {
  it('of a payment says which one', async () => {
    expect(await facts('payment_intent.succeeded')).toEqual([{ is: 'payment', ...ofOrder() }]);
    expect(await facts('charge.captured')).toEqual([{ is: 'payment', ...ofOrder() }]);
  });

  it('of a refund leads back to ours', async () => {
    await provider.refund({ ...payment, amountCents: 700, refundId: 'rf_1', key: 'ord_1-refund-1', isWhole: false });
    const [{ reference } = { reference: '' }] = double.book.refunds();
    const fact = { is: 'refund', ...ofOrder(), reference, refundId: 'rf_1', amountCents: 700, currency: 'USD' };
    expect(await facts('refund.created')).toEqual([{ ...fact, outcome: 'succeeded', reason: null }]);
  });

  it('of a refund by hand has no id of ours', async () => {
    const reference = double.refundByHand(payment.reference, 700);
    const [fact] = await facts('refund.created');
    expect(fact).toMatchObject({ is: 'refund', ...ofOrder(null), reference, refundId: null, amountCents: 700 });
  });

  it('of a failed refund says why', async () => {
    const { reference } = await takenPayment(provider, 'ord_2', paidBy({ number: '4000000000005126' }));
    double.refundByHand(reference, 700);
    double.settle();
    expect(await facts('refund.failed')).toMatchObject([{ outcome: 'failed', reason: 'expired_or_canceled_card' }]);
  });

  it('of a dispute says what it costs, and until when it may be answered', async () => {
    const reference = double.openDispute(payment.reference);
    const fee = { reference: double.book.lines.at(-1)?.id, amountCents: 1_500, currency: 'USD' };
    expect(await facts('charge.dispute.created')).toEqual([
      {
        is: 'dispute',
        ...ofOrder(null),
        reference,
        inquiry: false,
        state: 'open',
        reason: 'fraudulent',
        amountCents: 10_000,
        currency: 'USD',
        dueAt: '2026-12-05T12:00:00.000Z',
        fees: [fee],
      },
    ]);
  });

  it.each([
    ['won', false, 'won'],
    ['lost', false, 'lost'],
    ['withdrawn', false, 'withdrawn'],
    ['withdrawn', true, 'withdrawn'],
  ] as const)('of a dispute that is %s (inquiry: %s) says so', async (end, inquiry, state) => {
    double.closeDispute(double.openDispute(payment.reference, { inquiry }), end);
    expect(await facts('charge.dispute.created')).toMatchObject([{ inquiry, state: 'open' }]);
    expect(await facts('charge.dispute.closed')).toMatchObject([{ state }]);
  });

  it('of a dispute that waits for the bank says so', async () => {
    const dispute = double.openDispute(payment.reference);
    const nothing = {
      buyerName: null,
      buyerEmail: null,
      deliveredOn: null,
      tracking: null,
      files: [],
      compelling: null,
    };
    await provider.sendEvidence(dispute, { text: 'It was delivered.', ...nothing }, true);
    expect(await facts('charge.dispute.updated')).toMatchObject([{ state: 'sent' }]);
  });

  it('of a payout says when it has come', async () => {
    const reference = double.payOut(5_000);
    double.settle();
    const payout = { is: 'payout', reference, amountCents: 5_000, currency: 'USD', at: '2026-11-21T12:00:00.000Z' };
    expect(await facts('payout.created')).toEqual([{ ...payout, state: 'pending' }]);
    expect(await facts('payout.paid')).toEqual([{ ...payout, state: 'paid' }]);
  });
});

describe('a webhook', () => {
  const signed = (at?: number) => {
    const { headers, body } = double.sign(double.book.events.at(-1)!, at);
    return { headers, body: Buffer.from(body) };
  };

  it('is what the list says of the event', async () => {
    expect(await provider.readWebhook(signed())).toEqual((await listed()).at(-1));
  });

  it('is taken for five minutes', async () => {
    const webhook = signed();
    clock.advance(300_000);
    expect(await provider.readWebhook(webhook)).toMatchObject({ type: 'payment_intent.succeeded' });
    clock.advance(1_000);
    await expect(provider.readWebhook(webhook)).rejects.toThrow(WebhookRefused);
  });

  it('of other bytes, another secret or without a signature is refused, and nothing of it is said', async () => {
    const { headers, body } = signed();
    const other = { 'stripe-signature': String(headers['stripe-signature']).replace(/v1=.{4}/, 'v1=0000') };
    const wrong = [
      { headers, body: Buffer.concat([body, Buffer.from(' ')]) },
      { headers: other, body },
      { headers: {}, body },
      { headers, body: Buffer.alloc(0) },
    ];
    for (const webhook of wrong) {
      const error: unknown = await provider.readWebhook(webhook).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(WebhookRefused);
      expect(inspect(error, { showHidden: true })).not.toContain('payment_intent');
    }
  });

  it('of a kind that is not about money says nothing', async () => {
    const event = { ...double.book.events[0]!, type: 'customer.created', object: { id: 'cus_1', object: 'customer' } };
    const { headers, body } = double.sign(event);
    expect(await provider.readWebhook({ headers, body: Buffer.from(body) })).toMatchObject({ fact: { is: 'nothing' } });
  });
});
