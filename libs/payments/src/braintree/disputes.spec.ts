import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DisputeEvidence } from '../provider-events.js';
import { type ConnectedBraintree, connectedBraintree } from '../../../../test/support/payments/connected-braintree.js';

const EVIDENCE: DisputeEvidence = {
  text: '2026-11-20 bought\n2026-11-21 delivered',
  buyerName: 'Ada Lovelace',
  buyerEmail: 'ada@example.com',
  deliveredOn: '2026-11-21',
  tracking: { carrier: 'UPS', number: '1Z999' },
  files: [{ name: 'evidence.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7 …') }],
  compelling: null,
};

const FILE = 'https://files.example/evidence.pdf';

let braintree: ConnectedBraintree;
let dispute: string;

beforeEach(async () => {
  braintree = await connectedBraintree();
  const { reference } = await braintree.captured();
  dispute = braintree.double.openDispute(reference);
});
afterEach(() => braintree.double.stop());

const sent = () =>
  braintree.double.book.dispute(dispute).evidence.map(({ category, content, url }) => [category, content ?? url]);

const ALL = [
  ['GENERAL', FILE],
  ['PURCHASER_NAME', 'Ada Lovelace'],
  ['PURCHASER_EMAIL_ADDRESS', 'ada@example.com'],
  ['CARRIER_NAME', 'UPS'],
  ['TRACKING_NUMBER', '1Z999'],
  ['GENERAL', EVIDENCE.text],
];

describe('evidence', () => {
  it('is kept with the dispute until it is submitted', async () => {
    await braintree.provider.sendEvidence(dispute, EVIDENCE, false);
    expect(sent()).toEqual(ALL);
    expect(braintree.double.book.dispute(dispute).status).toBe('OPEN');
  });

  it('ends with the submission', async () => {
    await braintree.provider.sendEvidence(dispute, EVIDENCE, true);
    expect(braintree.double.book.dispute(dispute).status).toBe('DISPUTED');
  });

  it('is there once, however often it is sent', async () => {
    await braintree.provider.sendEvidence(dispute, EVIDENCE, false);
    await braintree.provider.sendEvidence(dispute, EVIDENCE, true);
    await braintree.provider.sendEvidence(dispute, EVIDENCE, true);
    expect(sent()).toEqual(ALL);
  });

  it.each(['dropped', 'done-dropped', 'broken'] as const)('is completed after an error: %s', async (fault) => {
    braintree.double.next(fault, 'evidence');
    await expect(braintree.provider.sendEvidence(dispute, EVIDENCE, true)).rejects.toThrow('Braintree');
    await braintree.provider.sendEvidence(dispute, EVIDENCE, true);
    expect(sent()).toEqual(expect.arrayContaining(ALL));
    expect(braintree.double.book.dispute(dispute).status).toBe('DISPUTED');
  });

  it('is not sent after the end', async () => {
    braintree.double.closeDispute(dispute, 'lost');
    await expect(braintree.provider.sendEvidence(dispute, EVIDENCE, true)).rejects.toThrow('LOST');
    expect(sent()).toEqual([]);
  });

  it.each([
    ['of another type', { name: 'a.zip', type: 'application/zip', content: Buffer.from('PK') }],
    ['above 4 MB', { name: 'a.png', type: 'image/png', content: Buffer.alloc(4 * 1024 * 1024 + 1) }],
  ])('with a file %s is refused before anything is sent', async (_, file) => {
    const evidence = { ...EVIDENCE, files: [...EVIDENCE.files, file] };
    await expect(braintree.provider.sendEvidence(dispute, evidence, false)).rejects.toThrow(file.name);
    expect(sent()).toEqual([]);
  });
});

describe('an accepted dispute', () => {
  it('is lost, once', async () => {
    await braintree.provider.acceptDispute(dispute);
    await braintree.provider.acceptDispute(dispute);
    expect(braintree.double.book.dispute(dispute).status).toBe('ACCEPTED');
    expect(braintree.double.asked.filter(({ step }) => step === 'accept')).toHaveLength(1);
  });

  it('was open', async () => {
    braintree.double.closeDispute(dispute, 'won');
    await expect(braintree.provider.acceptDispute(dispute)).rejects.toThrow('VALIDATION');
  });
});

it('a dispute that Braintree does not know is an error', async () => {
  await expect(braintree.provider.acceptDispute('ZGlzcHV0ZV9ub25l')).rejects.toThrow('no dispute');
});
