import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectedStripe, takenPayment } from '../../../../test/support/payments/connected-stripe.js';
import type { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import type { PaymentProvider } from '../payment-provider.js';
import type { DisputeEvidence } from '../provider-events.js';

const evidence: DisputeEvidence = {
  text: 'Bought on 21 November 2026. Delivered on 22 November 2026.',
  buyerName: 'Ada Lovelace',
  buyerEmail: 'ada@example.com',
  deliveredOn: '2026-11-22',
  tracking: { carrier: 'UPS', number: '1Z999AA10123456784' },
  files: [
    { name: 'evidence.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7 \r\n\0') },
    { name: 'manifest.json', type: 'application/json', content: Buffer.from('{}') },
    { name: 'tickets.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.4') },
  ],
  compelling: null,
};

let double: StripeDouble;
let provider: PaymentProvider;
let dispute: string;

beforeEach(async () => {
  ({ double, provider } = await connectedStripe(300));
  const { reference } = await takenPayment(provider, 'ord_1');
  dispute = double.openDispute(reference);
});
afterEach(() => double.stop());

const kept = () => double.book.dispute(dispute);

describe('evidence', () => {
  it('goes to Stripe with the files that it takes, and names those that it does not take', async () => {
    await provider.sendEvidence(dispute, evidence, true);
    const [pdf, tickets] = double.book.files;
    expect(double.book.files).toMatchObject([
      { name: 'evidence.pdf', type: 'application/pdf', size: 12 },
      { name: 'tickets.pdf', type: 'application/pdf', size: 8 },
    ]);
    expect(kept()).toMatchObject({ status: 'under_review', submissions: 1 });
    expect(kept().evidence).toEqual({
      uncategorized_text: `${evidence.text}\n\nKept by the seller, not attached: manifest.json`,
      customer_name: 'Ada Lovelace',
      customer_email_address: 'ada@example.com',
      service_date: '2026-11-22',
      shipping_carrier: 'UPS',
      shipping_tracking_number: '1Z999AA10123456784',
      uncategorized_file: pdf?.id,
      service_documentation: tickets?.id,
    });
  });

  it('of earlier purchases goes to Visa where Stripe says that it may', async () => {
    const address = {
      address1: '12 Analytical Way',
      address2: null,
      city: 'Albany',
      state: 'NY',
      zip: '12207',
      country: 'US',
    };
    const purchase = { email: 'ada@example.com', ip: '192.0.2.7', address, product: '2 tickets: Hamilton' };
    const payments = [];
    for (const id of ['ord_2', 'ord_3']) payments.push((await takenPayment(provider, id)).reference);
    const earlier = ['pi_of_another_account', ...payments].map((payment) => ({ ...purchase, payment }));
    const sent = { ...evidence, files: [], compelling: { disputed: purchase, earlier } };
    const names = () => Object.keys(kept().evidence).filter((name) => name.startsWith('enhanced'));

    await provider.sendEvidence(dispute, sent, false);
    expect(names()).toEqual([]);
    const { reference } = await takenPayment(provider, 'ord_4');
    dispute = double.openDispute(reference, { types: ['visa_compelling_evidence_3'] });
    await provider.sendEvidence(
      dispute,
      { ...sent, compelling: { disputed: purchase, earlier: earlier.slice(0, 2) } },
      false,
    );
    expect(names()).toEqual([]);
    await provider.sendEvidence(dispute, sent, true);
    const visa = 'enhanced_evidence][visa_compelling_evidence_3]';
    const charges = payments.map((payment) => double.book.intent(payment).charge?.id);
    expect(kept().evidence).toMatchObject({
      [`${visa}[disputed_transaction][merchandise_or_services`]: 'services',
      [`${visa}[disputed_transaction][customer_purchase_ip`]: '192.0.2.7',
      [`${visa}[disputed_transaction][shipping_address][line1`]: '12 Analytical Way',
      [`${visa}[prior_undisputed_transactions][0][charge`]: charges[0],
      [`${visa}[prior_undisputed_transactions][1][charge`]: charges[1],
      [`${visa}[prior_undisputed_transactions][1][customer_email_address`]: 'ada@example.com',
      [`${visa}[prior_undisputed_transactions][1][product_description`]: '2 tickets: Hamilton',
    });
  });

  it('stays a draft until it is submitted', async () => {
    await provider.sendEvidence(dispute, { ...evidence, files: [] }, false);
    expect(kept()).toMatchObject({ status: 'needs_response', submissions: 0 });
    await provider.sendEvidence(dispute, { ...evidence, files: [] }, true);
    expect(kept()).toMatchObject({ status: 'under_review', submissions: 1 });
  });

  it.each(['done-broken', 'done-dropped', 'done-silent'] as const)(
    'is submitted once when an answer is %s',
    async (fault) => {
      double.next(fault, 'evidence');
      await provider.sendEvidence(dispute, evidence, true);
      await provider.sendEvidence(dispute, evidence, true);
      expect(kept().submissions).toBe(1);
      expect(double.book.files).toHaveLength(2);
    },
  );

  it('that was not sent is an error', async () => {
    double.next('broken', 'evidence');
    await expect(provider.sendEvidence(dispute, evidence, true)).rejects.toThrow(
      'Stripe: sending evidence failed (500',
    );
    double.next('broken', 'upload');
    await expect(provider.sendEvidence(dispute, evidence, true)).rejects.toThrow('Stripe: sending a file failed (500');
  });

  it('keeps within the length that Stripe takes', async () => {
    await provider.sendEvidence(dispute, { ...evidence, text: 'x'.repeat(200_000) }, true);
    expect(kept().evidence.uncategorized_text).toMatch(/^x{100000,139999}\n\nKept by the seller/);
  });
});

describe('accepting a dispute', () => {
  it.each([undefined, 'done-broken', 'done-dropped', 'done-silent'] as const)('loses it (%s)', async (fault) => {
    if (fault) double.next(fault, 'accept');
    await provider.acceptDispute(dispute);
    expect(kept().status).toBe('lost');
    await provider.acceptDispute(dispute);
  });

  it('that has been won is an error', async () => {
    double.closeDispute(dispute, 'won');
    await expect(provider.acceptDispute(dispute)).rejects.toThrow(/^Stripe: accepting a dispute failed \(400/);
  });
});
