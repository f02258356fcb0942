import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '#desk/timeline.contract';
import { PAID } from '../../test/order.js';
import { paymentSentences } from './payment-sentences.js';

const NOW = new Date(2026, 11, 5, 22, 0).getTime();
const at = (day: number) => new Date(2026, 11, day, 21, 13).toISOString();
const entry = (type: string, day: number, detail: object = {}): TimelineEntry => ({
  at: at(day),
  kind: 'payment',
  actor: 'system',
  actor_name: null,
  title: type,
  detail: { type, ...detail },
  transaction_id: null,
});
const asked = (refund_id: string, amount_cents: number) => entry('RefundRequested', 3, { refund_id, amount_cents });
const settled = (refund_id: string) => entry('RefundSucceeded', 3, { refund_id });

const said = (payment: object, ...newestFirst: TimelineEntry[]) => {
  if (!PAID.payment) throw new Error('The order of the specs is paid.');
  return paymentSentences({ ...PAID.payment, ...payment }, newestFirst, NOW);
};

describe("what became of the buyer's money", () => {
  it('of a hold that was let go', () => {
    const voided = { state: 'voided', captured: 0, authorised: 152.5 };
    const sentence = 'Voided $152.50 · 21:13 · never left the account';
    expect(said(voided, entry('PaymentReleased', 5), entry('PaymentAuthorised', 5))).toEqual([sentence]);
  });

  it('has the day of what was taken, and each refund that was made with its own', () => {
    const failed = [entry('RefundFailed', 4, { refund_id: 'rf_2' }), settled('rf_2'), asked('rf_2', 1_000)];
    expect(
      said(
        { state: 'part_refunded', refunded: 40 },
        ...failed,
        settled('rf_1'),
        asked('rf_1', 4_000),
        entry('PaymentCaptured', 2),
      ),
    ).toEqual([
      'Took $254.60 from Visa ···· 1111 · 2 Dec 21:13',
      'Refunded $40.00 on 3 Dec 21:13 to Visa ···· 1111 · banks take 5 to 10 days',
    ]);
  });

  it('has no day before the timeline has come, and counts no refund twice', () => {
    const refunded = { state: 'part_refunded', refunded: 50 };
    expect(said(refunded)).toEqual([
      'Took $254.60 from Visa ···· 1111',
      'Refunded $50.00 to Visa ···· 1111 · banks take 5 to 10 days',
    ]);
    expect(said(refunded, settled('rf_1'), asked('rf_1', 4_000))[2]).toContain('Refunded $10.00 to');
  });

  it.each([
    ['asked', 'has not answered'],
    ['declined', 'nothing was charged'],
  ])('of a payment that was %s', (state, text) => {
    expect(said({ state, captured: 0 })).toEqual([expect.stringContaining(text)]);
  });
});
