import { describe, expect, it } from 'vitest';
import {
  approve,
  ask,
  CAPTURED,
  dispute,
  HELD,
  life,
  minute,
  receive,
  refunded,
  reject,
  sent,
} from '../../../test/support/orders/paid-order.js';
import type { OrderCommand } from './order.js';
import type { DisputeEnd } from './payment-events.js';

const inquiry = (state: 'open' | 'sent' | DisputeEnd = 'open') => dispute({ inquiry: true, state });
const ended = (state: DisputeEnd) => dispute({ state });
const fee = dispute({ fees: [{ reference: 'f1', amount_cents: 1_500, for: 'dispute' }] });
const open = (disputeId: string, kind: 'denied_entry' | 'cancelled_sale' = 'denied_entry'): OrderCommand => {
  return { type: 'OpenDispute', disputeId, kind, dueAt: '2026-12-10T12:00:00.000Z' };
};
const close = (disputeId: string, state: DisputeEnd = 'won'): OrderCommand => {
  return { type: 'CloseDispute', disputeId, state };
};
// The dispute is due on 2026-12-05.
const evidence = (disputeId = 'd1', at = minute(0)): OrderCommand => ({ type: 'SendEvidence', disputeId, at });
const accept = (disputeId = 'd1', at = minute(0)): OrderCommand => ({ type: 'AcceptDispute', disputeId, at });

type Row = readonly [string, readonly OrderCommand[], string | readonly string[]];

describe('a dispute of a card', () => {
  it.each<Row>([
    ['is opened', [dispute()], ['DisputeOpened']],
    ['is opened twice', [dispute(), dispute()], []],
    ['is opened with a fee', [fee], ['DisputeOpened', 'ProviderFeeCharged']],
    ['has its fee once', [fee, fee], []],
    ['has a late fee', [dispute(), ended('lost'), fee], ['ProviderFeeCharged']],
    ['is heard of when evidence was sent', [dispute({ state: 'sent' })], ['DisputeOpened', 'DisputeEvidenceSent']],
    ['is heard of when it is over', [ended('won')], ['DisputeOpened', 'DisputeClosed']],
    ['has evidence', [dispute(), dispute({ state: 'sent' })], ['DisputeEvidenceSent']],
    ['has evidence twice', [dispute(), dispute({ state: 'sent' }), dispute({ state: 'sent' })], []],
    ['is told as open after the evidence', [dispute({ state: 'sent' }), dispute()], []],
    ['is won', [dispute(), ended('won')], ['DisputeClosed']],
    ['ends once', [dispute(), ended('won'), ended('lost')], []],
    ['is told as open after its end', [ended('won'), dispute()], []],
    ['is another one', [ended('won'), dispute({ reference: 'du2' }, 'd2')], ['DisputeOpened']],
    ['begins as an inquiry', [inquiry()], ['DisputeOpened']],
    ['stays an inquiry', [inquiry(), inquiry('sent')], ['DisputeEvidenceSent']],
    ['ends as an inquiry', [inquiry(), inquiry('withdrawn')], ['DisputeClosed']],
    ['becomes real', [inquiry(), dispute()], ['DisputeOpened']],
    [
      'becomes real after evidence',
      [inquiry('sent'), dispute({ state: 'sent' })],
      ['DisputeOpened', 'DisputeEvidenceSent'],
    ],
    ['becomes real and is lost', [inquiry(), ended('lost')], ['DisputeOpened', 'DisputeClosed']],
    ['is told as an inquiry after it became real', [inquiry(), dispute(), inquiry('sent')], []],
    ['is told as a closed inquiry after it became real', [inquiry(), dispute(), inquiry('withdrawn')], []],
  ])('%s', (_, commands, expected) => {
    expect(life(...CAPTURED, ...commands).gave).toEqual(expected);
  });

  it('keeps its id when it becomes real, and moves money then', () => {
    const { order } = life(...CAPTURED, inquiry('sent'), dispute({}, 'another'));
    expect(order.disputes).toMatchObject([
      { dispute_id: 'd1', kind: 'card', inquiry: false, state: 'open', opened_at: minute(4), sent_at: null },
    ]);
  });

  it.each<Row>([
    ['evidence is sent', [dispute(), evidence()], ['DisputeEvidenceSent']],
    ['evidence is sent in an inquiry', [inquiry(), evidence()], ['DisputeEvidenceSent']],
    [
      'evidence is sent at the last instant',
      [dispute(), evidence('d1', '2026-12-05T12:00:00.000Z')],
      ['DisputeEvidenceSent'],
    ],
    ['evidence is sent too late', [dispute(), evidence('d1', '2026-12-05T12:00:00.001Z')], 'DISPUTE_OVER'],
    ['evidence is sent twice', [dispute(), evidence(), evidence()], 'DISPUTE_OVER'],
    ['evidence is sent after the end', [ended('lost'), evidence()], 'DISPUTE_OVER'],
    [
      'evidence is sent again once an inquiry became real',
      [inquiry(), evidence(), dispute(), evidence()],
      ['DisputeEvidenceSent'],
    ],
    ['it is accepted', [dispute(), accept()], ['DisputeClosed']],
    ['it is accepted too late', [dispute(), accept('d1', '2026-12-06T00:00:00.000Z')], 'DISPUTE_OVER'],
    ['it is accepted after evidence', [dispute(), evidence(), accept()], 'DISPUTE_OVER'],
    ['it is closed by hand', [dispute(), close('d1')], 'DISPUTE_OVER'],
    ['nobody knows it', [evidence('d9')], 'DISPUTE_UNKNOWN'],
  ])('by staff: %s', (_, commands, expected) => {
    expect(life(...CAPTURED, ...commands).gave).toEqual(expected);
  });

  it('that is accepted is lost', () => {
    expect(life(...CAPTURED, dispute(), accept()).order.disputes).toMatchObject([
      { state: 'lost', closed_at: minute(5) },
    ]);
  });
});

describe('refunds and a lost dispute', () => {
  const asked = [...CAPTURED, ask('a', { amountCents: 1_000 })];
  const waiting = [...CAPTURED, ask('a', { amountCents: 1_000 }, { from: 0 })];
  const [told, lost] = [dispute({ amount_cents: 5_000 }), dispute({ amount_cents: 5_000, state: 'lost' })];

  it.each<readonly [string, readonly OrderCommand[], readonly string[], string]>([
    ['what has not reached the provider fails', [...asked, told, lost], ['DisputeClosed', 'RefundFailed'], 'failed'],
    ['an approved one too', [...waiting, approve('a'), told, lost], ['DisputeClosed', 'RefundFailed'], 'failed'],
    ['by acceptance too', [...asked, told, accept()], ['DisputeClosed', 'RefundFailed'], 'failed'],
    ['at once too', [...asked, lost], ['DisputeOpened', 'DisputeClosed', 'RefundFailed'], 'failed'],
    ['what was sent stays', [...asked, sent('a'), told, lost], ['DisputeClosed'], 'pending'],
    ['what was made stays', [...asked, refunded('a'), told, lost], ['DisputeClosed'], 'succeeded'],
    ['what waits for an approval stays', [...waiting, told, lost], ['DisputeClosed'], 'waiting_for_approval'],
    ['a dispute that was won changes nothing', [...asked, told, ended('won')], ['DisputeClosed'], 'pending'],
    ['an inquiry that was lost changes nothing', [...asked, inquiry(), inquiry('lost')], ['DisputeClosed'], 'pending'],
    ['nor do the kinds without a card', [...asked, open('d1'), close('d1', 'lost')], ['DisputeClosed'], 'pending'],
  ])('%s', (_, commands, events, state) => {
    const { gave, order } = life(...commands);
    expect(gave).toEqual(events);
    expect(order.refunds).toMatchObject([{ state }]);
  });
});

describe('a dispute without a card network', () => {
  const placed = CAPTURED;

  it.each<Row>([
    ['is opened', [...placed, open('e1')], ['DisputeOpened']],
    ['is opened before the capture', [...HELD, open('e1')], ['DisputeOpened']],
    [
      'is opened for a wholesale order',
      [receive({ variant: 'wholesale', payment: null }), open('e1')],
      ['DisputeOpened'],
    ],
    ['is opened after a rejection', [...placed, reject, open('e1')], ['DisputeOpened']],
    ['needs an order', [receive(), open('e1')], 'TRANSITION_NOT_ALLOWED'],
    ['is open once', [...placed, open('e1'), open('e2')], 'CONFLICT'],
    ['of another kind is another one', [...placed, open('e1'), open('e2', 'cancelled_sale')], ['DisputeOpened']],
    ['can come back', [...placed, open('e1'), close('e1'), open('e2')], ['DisputeOpened']],
    ['stands beside one of a card', [...placed, dispute(), open('e1')], ['DisputeOpened']],
    ['is closed', [...placed, open('e1'), close('e1', 'withdrawn')], ['DisputeClosed']],
    ['is closed once', [...placed, open('e1'), close('e1'), close('e1')], 'DISPUTE_OVER'],
    ['takes no evidence', [...placed, open('e1'), evidence('e1')], 'DISPUTE_OVER'],
    ['is not accepted', [...placed, open('e1'), accept('e1')], 'DISPUTE_OVER'],
    ['hinders no refund', [...placed, open('e1'), ask('a', { amountCents: 11_500 })], ['RefundRequested']],
  ])('%s', (_, commands, expected) => {
    expect(life(...commands).gave).toEqual(expected);
  });

  it('is about the whole order, and has a clock of its own', () => {
    const due_at = '2026-12-10T12:00:00.000Z';
    const { order } = life(...placed, { ...open('e1'), note: 'The scanner refused it.' } as OrderCommand);
    expect(order.disputes).toEqual([
      {
        dispute_id: 'e1',
        reference: null,
        kind: 'denied_entry',
        inquiry: false,
        reason: 'denied_entry',
        amount_cents: 11_500,
        currency: 'USD',
        due_at,
        state: 'open',
        position: 5,
        opened_at: minute(4),
        sent_at: null,
        closed_at: null,
      },
    ]);
  });
});
