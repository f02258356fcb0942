import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BalanceLine } from '../provider-lists.js';
import {
  type ConnectedBraintree,
  cardPayment,
  connectedBraintree,
  refundOf,
} from '../../../../test/support/payments/connected-braintree.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const WEEK = ['2026-11-20T00:00:00.000Z', '2026-11-27T00:00:00.000Z'] as const;

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

async function listed(from: string = WEEK[0], to: string = WEEK[1]): Promise<BalanceLine[]> {
  const lines: BalanceLine[] = [];
  for await (const line of braintree.provider.balanceLines(from, to)) lines.push(line);
  return lines;
}

const short = ({ kind, orderId, refundId, amountCents }: BalanceLine) => [kind, orderId, refundId, amountCents];

describe('the list of movements', () => {
  it('has what was captured, and not what was only held or declined', async () => {
    const { reference } = await braintree.captured();
    await braintree.held(cardPayment({ orderId: 'ord_2' }));
    await braintree.held(cardPayment({ orderId: 'ord_3', amountCents: 2_000_00 })).catch(() => undefined);
    expect(await listed()).toEqual([
      {
        id: reference,
        kind: 'charge',
        reference,
        payment: reference,
        orderId: 'ord_1',
        refundId: null,
        amountCents: 120_50,
        feeCents: 0,
        currency: 'USD',
        createdAt: '2026-11-21T12:00:00.000Z',
      },
    ]);
  });

  it('has a refund once it has settled, with our id, and those of others', async () => {
    const payment = await braintree.captured();
    braintree.double.settle();
    await braintree.provider.refund(refundOf(payment, 50_00));
    expect((await listed()).map(short)).toEqual([['charge', 'ord_1', null, 120_50]]);
    braintree.clock.advance(DAY_MS);
    braintree.double.settle();
    braintree.double.refundByHand(payment.reference, 20_00);
    braintree.clock.advance(DAY_MS);
    braintree.double.settle();
    expect((await listed()).map(short)).toEqual([
      ['charge', 'ord_1', null, 120_50],
      ['refund', 'ord_1', 'rf_1', -50_00],
      ['refund', 'ord_1', null, -20_00],
    ]);
  });

  it('has a void after the capture as a charge and a refund', async () => {
    const payment = await braintree.captured();
    await braintree.provider.refund(refundOf(payment));
    const lines = await listed();
    expect(lines.map(short)).toEqual([
      ['charge', 'ord_1', null, 120_50],
      ['refund', 'ord_1', null, -120_50],
    ]);
    expect(lines[1]).toMatchObject({ reference: `void:${payment.reference}`, payment: payment.reference });
  });

  it('has disputes that moved money, and those that were won', async () => {
    const { reference } = await braintree.captured();
    braintree.double.openDispute(reference, { inquiry: true });
    const dispute = braintree.double.openDispute(reference);
    braintree.clock.advance(DAY_MS);
    braintree.double.closeDispute(dispute, 'won');
    expect((await listed()).slice(1)).toMatchObject([
      { kind: 'dispute', reference: dispute, payment: reference, orderId: 'ord_1', amountCents: -120_50 },
      { kind: 'dispute_reversed', reference: dispute, amountCents: 120_50 },
    ]);
  });

  it('begins with the first instant and ends before the last', async () => {
    await braintree.captured();
    expect(await listed('2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.001Z')).toHaveLength(1);
    expect(await listed('2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z')).toEqual([]);
    expect(await listed('2026-11-21T12:00:00.001Z', '2026-11-22T12:00:00.000Z')).toEqual([]);
  });

  it('is whole over several pages and days, oldest first', async () => {
    const orders = ['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_5', 'ord_6', 'ord_7', 'ord_8'];
    for (const orderId of orders) {
      braintree.clock.advance(DAY_MS / 4);
      await braintree.captured(cardPayment({ orderId }));
    }
    expect((await listed()).map(({ orderId }) => orderId)).toEqual(orders);
  });

  it('ends with an error where Braintree does not answer', async () => {
    await braintree.captured();
    braintree.double.next('broken', 'read');
    await expect(listed()).rejects.toThrow('Braintree');
  });
});

it('payouts are not listed', () => {
  expect(braintree.provider.payouts(...WEEK)).toBeUndefined();
});
