import { describe, expect, it } from 'vitest';
import type { Balances } from '../api/money.js';
import { balancePoints, currenciesOf, partsOf, saidAmount, seriesValue } from './balance-points.js';

const NOW = Date.parse('2026-11-26T18:30:00.000Z');

const usd = (account: string, balance: number) => ({ account, balance, currency: 'USD' });
const BALANCES: Balances = [
  usd('provider:stripe', 100.1),
  usd('provider:braintree', 200.2),
  usd('seller:Front: Row', -150.15),
  usd('seller:house', 20),
  usd('fees', -10.1),
  usd('delivery', -0.2),
  usd('losses', 5),
  { account: 'bank', balance: 7, currency: 'EUR' },
];

describe('the points of a chart of balances', () => {
  it.each([
    ['7', 8, '2026-11-19T00:00:00.000Z'],
    ['30', 11, '2026-10-27T00:00:00.000Z'],
    ['90', 11, '2026-08-28T00:00:00.000Z'],
  ] as const)('of %s days are %i, evenly spaced, up to today', (period, count, first) => {
    const points = balancePoints(period, NOW, 'UTC');
    expect(points).toHaveLength(count);
    expect([points[0], points.at(-1)]).toEqual([first, '2026-11-26T00:00:00.000Z']);
  });

  it('are the same all day, so each is asked for once', () => {
    expect(balancePoints('30', NOW + 3_600_000)).toEqual(balancePoints('30', NOW));
  });
});

describe('a balance', () => {
  it('is said as people say it: owed and earned amounts are not negative', () => {
    expect(saidAmount('seller:Front Row', -12)).toBe(12);
    expect(saidAmount('fees', -3)).toBe(3);
    expect(saidAmount('bank', -3)).toBe(-3);
    expect(Object.is(saidAmount('tax', 0), 0)).toBe(true);
  });

  it('is added up by kind of account and currency, to the cent', () => {
    expect(seriesValue('providers', BALANCES, 'USD')).toBe(300.3);
    expect(seriesValue('sellers', BALANCES, 'USD')).toBe(130.15);
    expect(seriesValue('earned', BALANCES, 'USD')).toBe(10.3);
    expect(seriesValue('bank', BALANCES, 'USD')).toBe(0);
    expect(seriesValue('bank', BALANCES, 'EUR')).toBe(7);
    expect(currenciesOf(BALANCES)).toEqual(['USD', 'EUR']);
  });
});

it('a seller may have a colon in the name', () => {
  expect(partsOf('seller:Front: Row')).toEqual({ kind: 'seller', of: 'Front: Row' });
  expect(partsOf('fees')).toEqual({ kind: 'fees', of: undefined });
});
