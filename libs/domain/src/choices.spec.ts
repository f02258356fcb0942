import { describe, expect, it } from 'vitest';
import {
  ask as askRefund,
  authorise,
  CAPTURED,
  capture,
  dispute,
  HELD,
  life,
  receive,
  refundFailed,
  returnPayment,
  status,
} from '../../../test/support/orders/paid-order.js';
import { PURCHASE } from '../../../test/support/orders/received-purchase.js';
import type { OrderCommand } from './order.js';

const UNTIL = '2026-12-01T12:00:00.000Z';
const AFTER = '2026-12-01T12:00:00.001Z';
const BEFORE = '2026-11-30T12:00:00.000Z';

const ask = (job = 'job_1', until = UNTIL, at = BEFORE): OrderCommand => ({ type: 'AskChoice', job, until, at });
const choose = (answer: 'keep' | 'refund', { job = 'job_1', at = BEFORE } = {}): OrderCommand => {
  return { type: 'AnswerChoice', job, answer, at, refund: { refundId: 'r1', requestedBy: 'link:job_1' } };
};

describe('the buyer of a postponed show', () => {
  it.each([
    ['who paid here', [...CAPTURED, ask()], ['ChoiceAsked']],
    ['whose payment is only held', [...HELD, ask()], ['ChoiceAsked']],
    ['twice by the same job', [...CAPTURED, ask(), ask()], []],
    ['anew by another job', [...CAPTURED, ask(), ask('job_2')], ['ChoiceAsked']],
    ['when the time is over already', [...CAPTURED, ask('job_1', UNTIL, UNTIL)], []],
    ['of an order that has ended', [...CAPTURED, status(3004), ask()], []],
    ['of an order with a problem', [...CAPTURED, status(4001), ask()], []],
    ['of an order that waits for the broker', [receive({ confirmation: 'manual' }), authorise(), ask()], []],
    ['of an order that was sold to a partner', [{ type: 'ReceivePurchase', purchase: PURCHASE }, ask()], []],
  ] as const)('is asked: %s', (_what, commands, events) => {
    expect(life(...commands).gave).toEqual(events);
  });

  it('keeps the tickets, and nothing else changes', () => {
    const { order, gave } = life(...CAPTURED, ask(), choose('keep'));
    expect(gave).toEqual(['ChoiceMade']);
    expect(order).toMatchObject({ status: { status_code: 2000 }, choice: { job: 'job_1', answer: 'keep' } });
  });

  it('gives the tickets back, and all that is left of the money goes back', () => {
    const { order, gave, events } = life(...CAPTURED, askRefund('r0', { amountCents: 500 }), ask(), choose('refund'));
    expect(gave).toEqual(['ChoiceMade', 'OrderRejected 3010', 'RefundRequested']);
    expect(events[2]).toMatchObject({
      data: {
        refund_id: 'r1',
        amount_cents: 11_000,
        reason: 'event_postponed',
        origin: 'desk',
        requested_by: 'link:job_1',
        needs_approval: false,
      },
    });
    expect(order).toMatchObject({ tickets: { held: 0 }, choice: { answer: 'refund' } });
  });

  it('gives the tickets back while the payment is taken, and the worker then refunds it for the same reason', () => {
    const given = [...HELD, ask(), choose('refund')];
    expect(life(...given).gave).toEqual(['ChoiceMade', 'OrderRejected 3010']);
    expect(life(...given, capture(), returnPayment('r2')).events).toMatchObject([
      { type: 'RefundRequested', data: { reason: 'event_postponed', amount_cents: 11_500 } },
    ]);
  });

  it('whose bank has the money gets it once that is over', () => {
    const given = [...CAPTURED, dispute(), ask(), choose('refund')];
    expect(life(...given).gave).toEqual(['ChoiceMade', 'OrderRejected 3010']);
  });

  it('has the answer also if the refund fails', () => {
    const { order } = life(...CAPTURED, ask(), choose('refund'), refundFailed('r1'));
    expect(order).toMatchObject({ status: { status_code: 3010 }, choice: { answer: 'refund' } });
    expect(life(...CAPTURED, ask(), choose('refund'), refundFailed('r1'), choose('refund')).gave).toEqual([]);
  });
});

describe('an answer', () => {
  it.each([
    ['again', [ask(), choose('keep'), choose('keep')], []],
    ['again after the time', [ask(), choose('keep'), choose('keep', { at: AFTER })], []],
    ['another one', [ask(), choose('keep'), choose('refund')], 'CONFLICT'],
    ['another one after a refund', [ask(), choose('refund'), choose('keep')], 'CONFLICT'],
    ['when the time is over', [ask(), choose('refund', { at: UNTIL })], 'CHOICE_OVER'],
    ['that nobody asked for', [choose('refund')], 'CHOICE_OVER'],
    ['of an earlier question', [ask(), ask('job_2'), choose('refund')], 'CHOICE_OVER'],
    ['of an earlier question that was answered', [ask(), choose('keep'), ask('job_2'), choose('keep')], 'CHOICE_OVER'],
    ['of an order that was cancelled meanwhile', [ask(), status(3007), choose('keep')], 'CHOICE_OVER'],
    [
      'with a problem meanwhile',
      [ask(), status(4001), choose('refund')],
      ['ChoiceMade', 'OrderRejected 3010', 'RefundRequested'],
    ],
  ] as const)('%s', (_what, commands, gave) => {
    expect(life(...CAPTURED, ...commands).gave).toEqual(gave);
  });
});
