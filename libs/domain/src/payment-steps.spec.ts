import { describe, expect, it } from 'vitest';
import {
  approve,
  ask,
  authorise,
  capture,
  CAPTURED,
  captureFailed,
  decline,
  dispute,
  HELD,
  HELD_UNTIL,
  life,
  minute,
  prepare,
  receive,
  refunded,
  refundFailed,
  reject,
  release,
  replace,
  returnPayment,
  sent,
  status,
} from '../../../test/support/orders/paid-order.js';
import type { OrderCommand } from './order.js';
import { evolve, type KnownOrder } from './order-state.js';
import { nextPaymentStep, returnDue } from './payment-steps.js';

const manual = [receive({ confirmation: 'manual' }), authorise()];
const atDelivery = [receive({ capture: 'delivery' }), authorise()];
const ship: OrderCommand = {
  type: 'Fulfil',
  fulfillment: { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' } },
};
const declined: OrderCommand = {
  type: 'RecordPaymentOutcome',
  outcome: { is: 'declined', provider: 'p', reason: 'no' },
  platformWaits: true,
};
const heldByQuestion: OrderCommand = {
  type: 'RecordPaymentOutcome',
  outcome: {
    is: 'absent',
    provider: 'p',
    reason: 'no',
    held: { reference: 'x1', amount_cents: 1, capture_before: null },
  },
  platformWaits: false,
};
const asked = [...CAPTURED, ask('a', { amountCents: 1_000 })];
const waiting = [...CAPTURED, ask('a', { amountCents: 1_000 }, { from: 0 })];
const disputedInPart = dispute({ amount_cents: 5_000 });
const lost = dispute({ state: 'lost', amount_cents: 5_000 });

/** `hold` has no minute: it is due when the hold ends. */
type Row = readonly [string, readonly OrderCommand[], readonly [step: string, n: number, minute?: number] | null];

describe('the next step of the money', () => {
  it.each<Row>([
    ['before the payment is authorised', [receive(), prepare], null],
    ['after a decline', [receive(), declined], null],
    ['after the question about it held it', [receive(), heldByQuestion], ['void', 1, 2]],
    ['of a wholesale order', [receive({ variant: 'wholesale', payment: null })], null],
    ['once it is confirmed', HELD, ['capture', 1, 2]],
    ['while it waits for the broker', manual, ['hold', 1]],
    ['while it waits, without a known end', [manual[0]!, authorise(null)], null],
    ['once the broker confirms', [...manual, status(2000)], ['capture', 1, 3]],
    ['in an exception after it was confirmed', [...HELD, status(4001)], ['capture', 1, 3]],
    ['confirmed, captured at delivery', atDelivery, ['hold', 1]],
    ['shipped, captured at delivery', [...atDelivery, ship], ['capture', 1, 3]],
    ['transferred, captured at delivery', [...atDelivery, status(2003)], ['capture', 1, 3]],
    ['sent electronically, captured at delivery', [...atDelivery, status(2004)], ['capture', 1, 3]],
    ['confirmed again, captured at delivery', [...atDelivery, status(2001)], ['hold', 1]],
    ['with cheaper tickets while held', [...HELD, ...replace(9_500)], ['capture', 2_001, 4]],
    ['after a capture that failed', [...HELD, captureFailed(false)], ['hold', 1]],
    ['after a hold that is gone', [...HELD, captureFailed(true)], null],
    ['rejected while held', [...HELD, reject], ['void', 1, 3]],
    ['rejected after a capture that failed', [...HELD, captureFailed(false), reject], ['void', 1, 4]],
    ['rejected and released', [...HELD, reject, release], null],
    ['captured', CAPTURED, null],
    ['captured after a rejection', [...HELD, reject, capture()], ['return', 5, 4]],
    ['captured after a release', [...HELD, reject, release, capture()], ['return', 6, 5]],
    ['rejected after its capture', [...CAPTURED, reject], ['return', 5, 4]],
    ['rejected, with its refund asked for', [...CAPTURED, reject, returnPayment('r')], ['refund', 1, 5]],
    ['rejected and refunded', [...CAPTURED, reject, returnPayment('r'), refunded('r')], null],
    ['rejected, its refund failed', [...CAPTURED, reject, returnPayment('r'), refundFailed('r')], null],
    ['with cheaper tickets after its capture', [...CAPTURED, ...replace(9_500)], ['return', 7, 5]],
    ['with a refund asked for', asked, ['refund', 1, 4]],
    ['with a refund that waits for an approval', waiting, null],
    ['with a refund that was approved', [...waiting, approve('a')], ['refund', 1, 4]],
    ['with a refund that was declined', [...waiting, decline('a')], null],
    ['with a refund that the provider has', [...asked, sent('a')], ['refund_outcome', 1, 4]],
    ['with a second refund', [...asked, refunded('a'), ask('b', { amountCents: 1 })], ['refund', 2, 6]],
    [
      'with one that waits and one that was sent',
      [...asked, sent('a'), ask('b', { amountCents: 1 })],
      ['refund', 2, 6],
    ],
    ['rejected, with a refund asked for before', [...asked, reject], ['refund', 1, 4]],
    ['rejected, with a refund that waits', [...waiting, reject], ['return', 6, 5]],
    ['disputed, with a refund asked for', [...asked, dispute()], null],
    ['disputed, with a refund that was sent', [...asked, sent('a'), dispute()], ['refund_outcome', 1, 4]],
    ['asked about by the bank, with a refund', [...asked, dispute({ inquiry: true })], ['refund', 1, 4]],
    ['disputed and rejected', [...CAPTURED, dispute(), reject], null],
    ['rejected, the dispute lost in part', [...CAPTURED, disputedInPart, reject, lost], ['return', 7, 6]],
    ['rejected, the dispute won', [...CAPTURED, dispute(), reject, dispute({ state: 'won' })], ['return', 7, 6]],
  ])('%s', (_, commands, expected) => {
    const at = expected?.[2] === undefined ? HELD_UNTIL : minute(expected[2]);
    const step = expected && { step: expected[0], n: expected[1], at };
    expect(nextPaymentStep(life(...commands).order)).toEqual(step);
  });

  it.each<[string, readonly OrderCommand[]]>([
    ['held', HELD],
    ['held for a rejected order', [...HELD, reject]],
    ['taken for a rejected order', [...CAPTURED, reject]],
  ])('is none for an imported payment that the provider does not confirm: %s', (_, commands) => {
    const { order } = life(...commands);
    const imported = { ...order, payment: { ...order.payment, claim: 'unchecked' } } as KnownOrder;
    const data = { provider: 'p', reference: 'pay' };
    const after = evolve(imported, { type: 'PaymentNotConfirmed', data, recorded_at: minute(9) }) as KnownOrder;
    expect(nextPaymentStep(imported)).not.toBeNull();
    expect(nextPaymentStep(after)).toBeNull();
  });
});

describe('what the order itself has to give back', () => {
  it.each<[string, readonly OrderCommand[], number]>([
    ['nothing', CAPTURED, 0],
    ['all of a rejected order', [...CAPTURED, reject], 11_500],
    ['nothing of what was never taken', [...HELD, reject], 0],
    ['not what is on its way', [...asked, reject], 10_500],
    ['also what waits for an approval', [...waiting, reject], 11_500],
    ['not what was lost in a dispute', [...CAPTURED, disputedInPart, lost, reject], 6_500],
    ['the difference to cheaper tickets', [...CAPTURED, ...replace(9_500)], 2_000],
    ['no difference twice', [...CAPTURED, ...replace(9_500), returnPayment('r')], 0],
    ['not more than what is left', [...CAPTURED, dispute(), dispute({ state: 'lost' }), ...replace(9_500)], 0],
  ])('%s', (_, commands, cents) => {
    expect(returnDue(life(...commands).order)).toBe(cents);
  });
});
