import { expect } from 'vitest';
/** Versions before captures took the money when it was authorised. */
export const took = {
  is: 'captured',
  provider: 'sandbox',
  reference: 'sandbox_ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23',
  amount_cents: 27840,
  currency: 'USD',
  capture_before: null,
  captured_cents: 27840,
} as const;

const held = { ...took, is: 'authorised', capture_before: '2026-11-27T18:04:11.000Z', captured_cents: 0 } as const;
const captured = { ...held, is: 'captured', captured_cents: 27840 } as const;
const paid = ['captured/PurchaseReceived', 'PaymentPrepared', 'captured/PaymentAuthorised'] as const;
const confirmed = [...paid, 'captured/OrderConfirmed'] as const;
const charged = [...confirmed, 'PaymentCaptured', 'ProviderFeeCharged'] as const;
const asked = [...charged, 'RefundRequested', 'RefundApproved', 'RefundSent'] as const;
const wholesale = ['wholesale/PurchaseReceived', 'wholesale/OrderConfirmed'] as const;

/** Lives since captures, by the files of their events: what is due, the amounts that the back office shows, and the order. */
export const capturedLives = [
  ['prepared', paid.slice(0, 2), null, { state: 'asked', reference: took.reference }, { status: null }],
  ['authorised', paid, null, { state: 'authorised', authorised_cents: 27840, captured_cents: 0 }, { payment: held }],
  ['confirmed', confirmed, 'capture', { state: 'authorised', capture_before: held.capture_before }, { payment: held }],
  [
    'confirmed, with a hold that is gone',
    [...confirmed, 'CaptureFailed'],
    null,
    { state: 'voided', captured_cents: 0, refundable_cents: 0 },
    { payment: { ...held, is: 'released', capture_failed: true } },
  ],
  [
    'captured, with a fee',
    charged,
    null,
    { state: 'captured', captured_cents: 27840, refundable_cents: 27840, capture_before: null },
    { payment: captured, booked: [`fee_${took.reference}`] },
  ],
  [
    'waiting for the approval of a refund',
    asked.slice(0, 7),
    null,
    { state: 'captured', pending_refunds_cents: 13670, refundable_cents: 14170 },
    { refunds: [{ state: 'waiting_for_approval', quantity: 1, reason: 'not_delivered' }] },
  ],
  [
    'captured, with a refund that was declined',
    [...asked.slice(0, 7), 'RefundDeclined'],
    null,
    { state: 'captured', pending_refunds_cents: 0, refundable_cents: 27840 },
    { refunds: [{ state: 'declined', approved_by: null }] },
  ],
  [
    'about to be refunded',
    asked.slice(0, 8),
    'refund',
    { state: 'captured', pending_refunds_cents: 13670 },
    { refunds: [{ state: 'pending', reference: null, approved_by: expect.stringMatching(/^operator:/) as string }] },
  ],
  [
    'being refunded',
    asked,
    'refund_outcome',
    { state: 'captured', pending_refunds_cents: 13670 },
    { refunds: [{ state: 'pending', reference: 'sandbox_rf_01a1e9d27b3f7c14a8e05d92c6b1f374' }] },
  ],
  [
    'refunded in part',
    [...asked, 'RefundSucceeded'],
    null,
    { state: 'part_refunded', refunded_cents: 13670, pending_refunds_cents: 0, refundable_cents: 14170 },
    { refunds: [{ state: 'succeeded', failure: null }] },
  ],
  [
    'captured, with a refund that failed later',
    [...asked, 'RefundSucceeded', 'RefundFailed'],
    null,
    { state: 'captured', refunded_cents: 0, refundable_cents: 27840 },
    { refunds: [{ state: 'failed', failure: 'the account of the card is closed' }] },
  ],
  [
    'disputed',
    [...charged, 'DisputeOpened'],
    null,
    { state: 'disputed', dispute: { state: 'open', amount_cents: 27840, due_at: '2026-12-02T23:59:59.000Z' } },
    { disputes: [{ state: 'open', inquiry: false, sent_at: null }] },
  ],
  [
    'disputed, with evidence',
    [...charged, 'DisputeOpened', 'DisputeEvidenceSent'],
    null,
    { state: 'disputed', dispute: { state: 'sent' } },
    { disputes: [{ state: 'sent', sent_at: '2026-11-24T06:40:42.721Z' }] },
  ],
  [
    'captured, with a dispute that was won',
    [...charged, 'DisputeOpened', 'DisputeEvidenceSent', 'DisputeClosed'],
    null,
    { state: 'captured', dispute: { state: 'won' } },
    { disputes: [{ state: 'won', closed_at: '2026-11-26T06:41:10.004Z' }] },
  ],
  [
    'paid by the wholesale partner',
    [...wholesale, 'RemittanceMatched'],
    null,
    null,
    { payment: { is: 'none' }, booked: ['7d9f1c-2026-11-25-58120095'] },
  ],
] as const;
