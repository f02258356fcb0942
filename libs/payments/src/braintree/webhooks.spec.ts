import { createHash } from 'node:crypto';
import { BraintreeGateway, Environment } from 'braintree';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookRefused } from '../provider-events.js';
import {
  type ConnectedBraintree,
  cardPayment,
  connectedBraintree,
  refundOf,
} from '../../../../test/support/payments/connected-braintree.js';
import {
  disputeEvent,
  refundFailedEvent,
  signed,
  type WebhookEvent,
} from '../../../../test/support/payments/braintree/webhook.js';

const KEYS = { publicKey: 'public-key', privateKey: 'private-key' };
const NOW = '2026-11-21T12:00:00Z';

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

const read = (body: string) => braintree.provider.readWebhook({ body: Buffer.from(body), headers: {} });
const readEvent = (event: WebhookEvent, keys = KEYS) => read(signed(event, keys).body);

async function disputed(inquiry = false) {
  const { reference } = await braintree.captured(cardPayment());
  return braintree.double.book.dispute(braintree.double.openDispute(reference, { inquiry }));
}

describe('a webhook', () => {
  it('of a dispute says what it is about', async () => {
    const dispute = await disputed();
    const { body } = signed(disputeEvent(dispute, NOW), KEYS);
    const payload = new URLSearchParams(body).get('bt_payload')!;
    expect(await read(body)).toEqual({
      id: createHash('sha256').update(payload).digest('hex'),
      type: 'dispute_opened',
      createdAt: '2026-11-21T12:00:00.000Z',
      fact: {
        is: 'dispute',
        reference: dispute.id,
        payment: dispute.transaction.id,
        orderId: 'ord_1',
        inquiry: false,
        state: 'open',
        reason: 'fraud',
        amountCents: 120_50,
        currency: 'USD',
        dueAt: '2026-11-28T23:59:59.000Z',
        fees: [],
      },
    });
  });

  it.each([
    ['DISPUTED', 'sent'],
    ['UNDER_REVIEW', 'sent'],
    ['WON', 'won'],
    ['LOST', 'lost'],
    ['ACCEPTED', 'lost'],
    ['EXPIRED', 'lost'],
  ])('of a dispute that is %s says %s', async (status, state) => {
    const dispute = await disputed();
    braintree.double.book.enterDispute(dispute, status);
    expect((await readEvent(disputeEvent(dispute, NOW))).fact).toMatchObject({ inquiry: false, state });
  });

  it.each([
    ['OPEN', 'open'],
    ['EXPIRED', 'withdrawn'],
    ['LOST', 'withdrawn'],
    ['WON', 'won'],
  ])('of an inquiry that is %s says %s: it moves no money', async (status, state) => {
    const dispute = await disputed(true);
    braintree.double.book.enterDispute(dispute, status);
    expect((await readEvent(disputeEvent(dispute, NOW))).fact).toMatchObject({ inquiry: true, state });
  });

  it('of a refund that failed leads back to it', async () => {
    const payment = await braintree.captured();
    braintree.double.settle();
    await braintree.provider.refund(refundOf(payment, 50_00));
    const [refund] = braintree.double.book.refundRecords;
    braintree.double.failRefund(refund!.id);
    braintree.double.settle();
    expect((await readEvent(refundFailedEvent(refund!, NOW))).fact).toEqual({
      is: 'refund',
      payment: payment.reference,
      orderId: 'ord_1',
      reference: refund!.id,
      refundId: 'rf_1',
      amountCents: 50_00,
      currency: 'USD',
      outcome: 'failed',
      reason: 'Braintree: FAILED',
    });
  });

  it('that names a payment by its older id alone leads to it', async () => {
    const { reference } = await braintree.captured();
    const { legacyId } = braintree.double.book.transaction(reference);
    const subject = `<transaction><id>${legacyId}</id><type>sale</type><order-id>ord_1</order-id></transaction>`;
    const { fact } = await readEvent({ kind: 'transaction_settled', timestamp: NOW, subject });
    expect(fact).toEqual({ is: 'payment', payment: reference, orderId: 'ord_1' });
  });

  it.each(['disbursement', 'subscription_charged_successfully', 'check'] as const)(
    'that is about no order is read too, as the package writes it: %s',
    async (kind) => {
      const gateway = new BraintreeGateway({
        environment: Environment.Sandbox,
        merchantId: 'merchant',
        ...KEYS,
      });
      braintree.clock.set(new Date().toISOString());
      const sample = await gateway.webhookTesting.sampleNotification(kind, 'abc');
      const body = new URLSearchParams({ bt_signature: sample.bt_signature, bt_payload: sample.bt_payload });
      expect(await read(body.toString())).toMatchObject({ type: kind, fact: { is: 'nothing' } });
    },
  );

  it('that comes again has the same id', async () => {
    const event = disputeEvent(await disputed(), NOW);
    const first = await readEvent(event);
    braintree.clock.advance(23 * 60 * 60 * 1_000);
    expect(await readEvent(event)).toEqual(first);
  });
});

describe('a webhook is refused', () => {
  const event: WebhookEvent = { kind: 'check', timestamp: NOW, subject: '<check type="boolean">true</check>' };

  it.each([
    ['without a signature', 'bt_payload=abc'],
    ['without a payload', 'bt_signature=public-key%7Cabc'],
    ['with an empty body', ''],
    ['with a signature of zeros', 'bt_signature=public-key%7C%00%00&bt_payload=abc'],
    ['that is no form', '{"kind":"check"}'],
  ])('%s', async (_, body) => {
    await expect(read(body)).rejects.toThrow(WebhookRefused);
  });

  it('with another key', async () => {
    await expect(readEvent(event, { ...KEYS, privateKey: 'other' })).rejects.toThrow(WebhookRefused);
    await expect(readEvent(event, { ...KEYS, publicKey: 'other' })).rejects.toThrow(WebhookRefused);
  });

  it('with a changed payload', async () => {
    const form = new URLSearchParams(signed(event, KEYS).body);
    const xml = Buffer.from(form.get('bt_payload')!, 'base64').toString().replace('check', 'other');
    form.set('bt_payload', Buffer.from(xml).toString('base64'));
    await expect(read(form.toString())).rejects.toThrow(WebhookRefused);
  });

  it('with a part of its signature', async () => {
    const form = new URLSearchParams(signed(event, KEYS).body);
    form.set('bt_signature', form.get('bt_signature')!.slice(0, -1));
    await expect(read(form.toString())).rejects.toThrow(WebhookRefused);
  });

  it('more than a day after its stamp, for so long Braintree repeats it', async () => {
    braintree.clock.advance((24 * 60 + 6) * 60 * 1_000);
    await expect(readEvent(event)).rejects.toThrow(WebhookRefused);
  });

  it('without a stamp', async () => {
    await expect(readEvent({ ...event, timestamp: '' })).rejects.toThrow(WebhookRefused);
  });
});
