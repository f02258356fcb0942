import { describe, expect, it } from 'vitest';
import {
  ask,
  authorise,
  capture,
  CAPTURED,
  captureFailed,
  CATALOGUE,
  HELD,
  HELD_UNTIL,
  life,
  prepare,
  receive,
  refunded,
  refundFailed,
  reject,
  release,
  replace,
  returnPayment,
  status,
} from '../../../test/support/orders/paid-order.js';
import { decide, type OrderCommand } from './order.js';
import type { KnownOrder } from './order-state.js';

const prepared = { provider: 'p', reference: 'pay', key: null };
const silent: OrderCommand = {
  type: 'RecordPaymentOutcome',
  outcome: { is: 'unreachable', provider: 'p', reason: 'silent' },
  platformWaits: false,
};
const declined: OrderCommand = {
  type: 'RecordPaymentOutcome',
  outcome: { is: 'declined', provider: 'p', reason: 'no' },
  platformWaits: true,
};

describe('a payment', () => {
  it('is prepared once, before money moves', () => {
    const { order, gave, events } = life(receive(), prepare);
    expect(gave).toEqual(['PaymentPrepared']);
    expect(events).toMatchObject([{ data: { ...prepared, amount_cents: 11_500, currency: 'USD' } }]);
    expect(order).toMatchObject({ payment: { is: 'asked', prepared }, status: null, stage: 'awaiting_payment' });
    expect(order.deadline).toMatchObject({ for: 'payment_outcome' });
    expect(life(receive(), prepare, prepare).gave).toEqual([]);
    expect(life(...HELD, prepare).gave).toEqual([]);
  });

  it('is prepared with the purchase where the provider needs no call for that', () => {
    const { order, gave } = life({ ...receive(), prepared } as OrderCommand);
    expect(gave).toEqual(['PurchaseReceived', 'PaymentPrepared']);
    expect(order.payment).toEqual({ is: 'asked', prepared });
    expect(life({ ...receive({ payment: null }), prepared } as OrderCommand).gave).not.toContain('PaymentPrepared');
  });

  it('that is authorised is held until its end, if that is known', () => {
    const held = { is: 'authorised', provider: 'p', reference: 'pay', amount_cents: 11_500, captured_cents: 0 };
    expect(life(...HELD).order.payment).toMatchObject({ ...held, capture_before: HELD_UNTIL });
    expect(life(receive(), authorise(null)).order.payment).toMatchObject({ ...held, capture_before: null });
  });

  it.each<[string, OrderCommand[], string[]]>([
    ['prepared, authorised', [receive(), prepare, authorise()], ['PaymentAuthorised', 'OrderConfirmed 2000']],
    ['authorised after silence', [receive(), silent, authorise()], ['PaymentAuthorised', 'OrderConfirmed 2000']],
    ['authorised after a rejection by staff', [receive(), silent, reject, authorise()], ['PaymentAuthorised']],
    ['authorised after a decline', [receive(), declined, authorise()], []],
    ['captured', [...HELD, capture()], ['PaymentCaptured']],
    ['captured twice', [...CAPTURED, capture()], []],
    ['captured before it is authorised', [receive(), capture()], []],
    ['captured although the order was rejected', [...HELD, reject, capture()], ['PaymentCaptured']],
    ['captured although that had failed', [...HELD, captureFailed(false), capture()], ['PaymentCaptured']],
    ['captured although it was released', [...HELD, reject, release, capture()], ['PaymentCaptured']],
    [
      'captured in full, with cheaper tickets meanwhile',
      [...HELD, ...replace(9_500), capture()],
      ['PaymentCaptured', 'RefundRequested'],
    ],
    ['captured in full, cheaper, rejected', [...HELD, ...replace(9_500), reject, capture()], ['PaymentCaptured']],
    ['captured in part, for cheaper tickets', [...HELD, ...replace(9_500), capture(9_500)], ['PaymentCaptured']],
    ['not captured, for good', [...HELD, captureFailed(false)], ['CaptureFailed', 'OrderExceptionRaised 4006']],
    ['not captured, and gone', [...HELD, captureFailed(true)], ['CaptureFailed', 'OrderExceptionRaised 4006']],
    ['not captured, twice', [...HELD, captureFailed(false), captureFailed(false)], []],
    ['not captured, and gone later', [...HELD, captureFailed(false), captureFailed(true)], ['CaptureFailed']],
    ['not captured in an exception', [...HELD, status(4006), captureFailed(true)], ['CaptureFailed']],
    ['not captured, rejected', [...HELD, reject, captureFailed(true)], ['CaptureFailed']],
    ['not captured, but it is', [...CAPTURED, captureFailed(true)], []],
    ['gone, twice', [...HELD, captureFailed(true), captureFailed(true)], []],
    ['released', [...HELD, reject, release], ['PaymentReleased']],
    ['released twice', [...HELD, reject, release, release], []],
    ['released although it was taken', [...CAPTURED, reject, release], []],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands).gave).toEqual(expected);
  });

  it('gives back at once what was captured beyond the new total', () => {
    const { order } = life(...HELD, ...replace(9_500), capture(11_500, 'r1'));
    expect(order.refunds).toMatchObject([{ id: 'r1', amount_cents: 2_000, origin: 'order', state: 'pending' }]);
    expect(order.refunds[0]?.lines).toEqual([{ account: 'buyer', amount_cents: 2_000 }]);
  });

  it('has its fee once, and less than 0 is given back', () => {
    const fee = (reference: string, amount_cents: number): OrderCommand => {
      return { type: 'RecordFee', fee: { reference, amount_cents, for: 'charge' } };
    };
    expect(life(...CAPTURED, fee('f1', 363)).gave).toEqual(['ProviderFeeCharged']);
    expect(life(...CAPTURED, fee('f1', 363), fee('f1', 363)).gave).toEqual([]);
    expect(life(...CAPTURED, fee('f1', 363), fee('f2', -363)).gave).toEqual(['ProviderFeeCharged']);
    expect(life(...CAPTURED, fee('f1', 0)).gave).toEqual([]);
    expect(life(receive(), fee('f1', 363)).gave).toEqual([]);
  });
});

describe('a rejected order', () => {
  it.each<[string, OrderCommand[], { amount: number; declines?: string[] } | null]>([
    ['gives back all', [], { amount: 11_500 }],
    ['gives back what is left', [ask('a', { amountCents: 1_500 }), refunded('a')], { amount: 10_000 }],
    ['leaves a refund that is under way', [ask('a', { amountCents: 1_500 })], { amount: 10_000 }],
    [
      'declines refunds that wait for an approval',
      [ask('a', { amountCents: 1_500 }, { from: 0 }), ask('b', { amountCents: 500 }, { from: 0 })],
      { amount: 11_500, declines: ['a', 'b'] },
    ],
    ['gives nothing back if all has gone', [ask('a', { amountCents: 11_500 }), refunded('a')], null],
    ['gives back what did not go', [ask('a', { amountCents: 11_500 }), refundFailed('a')], { amount: 11_500 }],
  ])('%s', (_, before, expected) => {
    const { events, gave } = life(...CAPTURED, ...before, reject, returnPayment('r'));
    const declines = (expected?.declines ?? []).map((refund_id) => ({
      type: 'RefundDeclined',
      data: { refund_id, declined_by: 'system:order' },
    }));
    const asked = expected && { type: 'RefundRequested', data: { amount_cents: expected.amount, origin: 'order' } };
    expect(events).toMatchObject([...declines, ...(asked ? [asked] : [])]);
    expect(gave).toHaveLength(events.length);
  });

  it('gives its reason as the cancelled event', () => {
    const { events } = life(...CAPTURED, { type: 'CancelEvent' }, returnPayment('r'));
    expect(events).toMatchObject([{ data: { reason: 'event_cancelled' } }]);
  });

  it('fails what was asked for if the provider does not confirm the imported payment', () => {
    const { order } = life(...CAPTURED, ask('a', { amountCents: 1_500 }), reject);
    const imported = { ...order, payment: { ...order.payment, claim: 'unchecked' } } as KnownOrder;
    expect(decide({ type: 'RecordUnconfirmedPayment' }, imported, CATALOGUE)).toMatchObject([
      { type: 'PaymentNotConfirmed' },
      { type: 'RefundFailed', data: { refund_id: 'a', reference: null } },
    ]);
  });

  it('leaves a refund of its own that failed to a person', () => {
    const failed = [...CAPTURED, reject, returnPayment('r'), refundFailed('r')];
    expect(life(...failed, returnPayment('s')).gave).toEqual([]);
    expect(life(...failed, ask('a', { amountCents: 11_500 })).gave).toEqual(['RefundRequested']);
  });
});

describe('the difference to cheaper tickets', () => {
  const cheaper = replace(9_500);

  it.each<[string, OrderCommand[], number, string[]]>([
    ['comes before refunds that wait', [ask('a', { amountCents: 10_000 }, { from: 0 })], 2_000, ['a']],
    ['leaves those that still fit', [ask('a', { amountCents: 9_500 }, { from: 0 })], 2_000, []],
    [
      'declines the later ones first',
      [ask('a', { amountCents: 5_000 }, { from: 0 }), ask('b', { amountCents: 5_000 }, { from: 0 })],
      2_000,
      ['b'],
    ],
    ['is no more than what is left', [ask('a', { amountCents: 10_500 }), refunded('a')], 1_000, []],
  ])('%s', (_, before, amount, declines) => {
    const { events } = life(...CAPTURED, ...before, ...cheaper, returnPayment('r'));
    expect(events).toMatchObject([
      ...declines.map((refund_id) => ({ type: 'RefundDeclined', data: { refund_id } })),
      { type: 'RefundRequested', data: { amount_cents: amount, origin: 'order' } },
    ]);
  });
});
