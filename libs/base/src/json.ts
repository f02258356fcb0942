import { parse as parseExactly, stringify as stringifyExactly } from 'lossless-json';
import { parse as parseSafely } from 'secure-json-parse';

// A number of 16 digits or more. In a text only such a number as part of a list looks like one; then nothing happens but more work.
const LONG_NUMBER = /(?:^|[\s,:[])-?\d{16}/;

const WHOLE = /^-?\d+$/;

/**
 * Parses JSON. A whole number that a double cannot hold is a bigint, so that `stringifyJson` writes the digits that were read: other systems use
 * such numbers as ids. Other numbers are doubles.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return LONG_NUMBER.test(text) ? parseExactly(text, undefined, { parseNumber, onDuplicateKey: lastOf }) : value;
}

/** The same for what others sent: names that would change a prototype (`__proto__`) are refused. @throws SyntaxError */
export function parseForeignJson(text: string): unknown {
  const value: unknown = parseSafely(text);
  return LONG_NUMBER.test(text) ? parseExactly(text, undefined, { parseNumber, onDuplicateKey: lastOf }) : value;
}

/** The JSON of a value as `JSON.stringify` writes it, but with the digits of a bigint. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    // Only a bigint or a cycle stops it, and a cycle will stop the next too.
    if (!(error instanceof TypeError)) throw error;
    return stringifyExactly(value, undefined, indent) ?? '';
  }
}

function parseNumber(text: string): number | bigint {
  const double = Number(text);
  const isInexact = WHOLE.test(text) && Number.isFinite(double) && !Number.isSafeInteger(double);
  return isInexact ? BigInt(text) : double;
}

const lastOf = ({ newValue }: { newValue: unknown }): unknown => newValue;
