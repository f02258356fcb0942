import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsOf, dollarsOf, multiply, share } from './money.js';

const cents = fc.integer({ min: 0, max: 1e15 });
const rates = fc.oneof(
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.integer({ min: 0, max: 100_000 }).map((n) => new Big(n).div(100_000).toString()),
);

describe('money', () => {
  it('converts every amount of whole cents to dollars and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), (amount) => {
        const onTheWire = JSON.stringify(dollarsOf(amount));
        expect(new Big(onTheWire).times(100).eq(amount)).toBe(true);
        expect(centsOf(JSON.parse(onTheWire) as number)).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });

  it('rejects fractions of a cent', () => {
    const withFraction = fc.integer({ min: 1, max: 1e12 }).filter((thousandths) => thousandths % 1000 !== 0);
    fc.assert(
      fc.property(withFraction, (thousandths) => {
        expect(centsOf(new Big(thousandths).div(100_000).toNumber())).toBe(null);
      }),
      { numRuns: 2000 },
    );
    expect(centsOf(0.005)).toBe(null);
    expect(centsOf(1.005)).toBe(null);
  });

  it("accepts the noise of a client's floating-point sums", () => {
    expect(centsOf(3 * 1.1)).toBe(330);
    expect(centsOf(0.1 + 0.2)).toBe(30);
    const sums = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sums, (amounts) => {
        const floats = amounts.reduce((sum, amount) => sum + amount / 100, 0);
        expect(centsOf(floats)).toBe(amounts.reduce((sum, amount) => sum + amount, 0));
      }),
    );
  });

  it.each([NaN, Infinity, -Infinity, 1e300, Number.MAX_SAFE_INTEGER])('refuses %s', (dollars) => {
    expect(centsOf(dollars)).toBe(null);
  });

  it('knows one zero', () => expect(Object.is(centsOf(-0), 0)).toBe(true));

  it('rounds a share half up to the cent, like exact decimals', () => {
    fc.assert(
      fc.property(rates, cents, (rate, amount) => {
        const model = new Big(String(rate)).times(amount).round(0, Big.roundHalfUp);
        fc.pre(model.lte(Number.MAX_SAFE_INTEGER));
        expect(share(rate, amount)).toBe(Number(model.toString()));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [0.075, 100, 8],
    ['0.005', 100, 1],
    ['0.00499999999999999999', 100, 0],
    [1.005, 1000, 1005],
    [0.285, 1000, 285],
    [1e-7, 5_000_000, 1],
    ['1e2', 3, 300],
    [0, 12345, 0],
  ])('share(%s, %d) is %d', (rate, amount, expected) => expect(share(rate, amount)).toBe(expected));

  it.each(['', '-0.1', 'NaN', '0x10', '1e9999', ' 1', '.5', -0.1, NaN, Infinity])('is no rate: %j', (rate) => {
    expect(() => share(rate, 100)).toThrow(RangeError);
  });

  it('multiplies exactly or throws', () => {
    expect(multiply(1999, 3)).toBe(5997);
    expect(() => multiply(1e15, 10)).toThrow(RangeError);
  });
});
