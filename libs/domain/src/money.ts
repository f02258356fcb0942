/** Always an integer number of US cents. Dollars exist only on the wire. */
export type Cents = number;

/** A share such as a tax rate: a decimal string from Postgres, or a number with the value of its decimal text. */
export type Rate = string | number;

// Above this, neighbouring cents share a double, so "equal to the cent" means nothing.
const MAX_CENTS = 1e15;

// Clients compute with floats: 3 * 1.1 arrives as 3.3000000000000003 and means 3.30. But 3.305 is not an amount.
const FLOAT_NOISE_IN_CENTS = 1e-6;

/** Null when the number is not finite, is too large, or has a fraction of a cent. */
export function centsOf(dollars: number): Cents | null {
  const cents = Math.round(dollars * 100);
  if (!(Math.abs(cents) <= MAX_CENTS)) return null;
  // This compares dollars: cents / 100 is exactly the double that the decimal amount parses to. dollars * 100 may not be whole.
  if (Math.abs(dollars - cents / 100) * 100 > FLOAT_NOISE_IN_CENTS) return null;
  return cents === 0 ? 0 : cents;
}

/** The double prints with at most two decimals. */
export function dollarsOf(cents: Cents): number {
  return cents / 100;
}

/** @throws RangeError when the result is no longer exact */
export function multiply(cents: Cents, times: number): Cents {
  const product = cents * times;
  if (!Number.isSafeInteger(product)) throw new RangeError('An amount of money is too large to be exact');
  return product;
}

/** Rounds half up to the cent. Uses BigInt: a float puts 0.075 * 100 on the wrong side of a half. */
export function share(rate: Rate, cents: Cents): Cents {
  const { digits, scale } = decimal(rate);
  return Number((2n * digits * BigInt(cents) + scale) / (2n * scale));
}

function decimal(rate: Rate): { digits: bigint; scale: bigint } {
  const parts = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(String(rate));
  if (!parts) throw new RangeError('A rate is not a decimal number of zero or more');
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0
    ? { digits, scale: 10n ** BigInt(places) }
    : { digits: digits * 10n ** BigInt(-places), scale: 1n };
}
