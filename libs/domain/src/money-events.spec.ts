import { expect, it } from 'vitest';
import payout from './fixtures/money/PayoutRecorded.json' with { type: 'json' };
import sellerPaid from './fixtures/money/SellerPaid.json' with { type: 'json' };
import {
  isMoneyStream,
  MONEY_EVENTS,
  moneyEntries,
  type MoneyEvent,
  moneyFold,
  providerStream,
  sellerPaymentStream,
} from './money-events.js';
import { orderStream } from './order-stream.js';

// Stored events stay readable for ever, so the files are never changed.
const STORED = [payout, sellerPaid] as readonly (MoneyEvent & { stream: string })[];

it('each type has a stored event', () => {
  expect(STORED.map(({ type }) => type)).toEqual(Object.keys(MONEY_EVENTS));
  expect(STORED.every(({ type }) => moneyFold.knows(type))).toBe(true);
  expect(moneyFold.knows('OrderConfirmed')).toBe(false);
});

it.each([
  [payout, { bank: 812_540, 'provider:stripe': -812_540 }],
  [
    { ...payout, data: { ...payout.data, amount_cents: -100 } },
    { bank: -100, 'provider:stripe': 100 },
  ],
  [sellerPaid, { 'seller:Front Row': 125_050, bank: -125_050 }],
])('$type posts its entries', (event, expected) => {
  const entries = moneyEntries(event as MoneyEvent).map(({ account, amount_cents: cents }) => [account, cents]);
  expect(Object.fromEntries(entries)).toEqual(expected);
});

it('streams of money are known by their names', () => {
  expect(STORED.map(({ stream }) => stream)).toEqual([
    providerStream('stripe'),
    sellerPaymentStream('SEPA 2026-11/17'),
  ]);
  expect(STORED.every(({ stream }) => isMoneyStream(stream))).toBe(true);
  expect(isMoneyStream(orderStream('ord_1'))).toBe(false);
});

it('a provider’s stream knows the references of its payouts', () => {
  const first = moneyFold.evolve(moneyFold.initial, payout as MoneyEvent);
  const { references } = moneyFold.evolve(first, {
    ...payout,
    data: { ...payout.data, reference: 'po_2' },
  } as MoneyEvent);
  expect(references).toEqual(['po_1QNvE2CgXyZ8', 'po_2']);
});
