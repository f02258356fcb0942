import type { Randomness } from '#base/randomness';

const PREFIX = 'whsec_';

// Standard Webhooks 1.0: 24 to 64 bytes.
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
const MADE_BYTES = 32;

/** Returns `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(randomness: Randomness): string {
  return PREFIX + randomness.bytes(MADE_BYTES).toString('base64');
}

/** Returns what is wrong, or undefined. */
export function checkSecret(secret: string): string | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  // Node decodes base64 leniently, so the text must equal the encoding of its bytes.
  const bytes = Buffer.from(text, 'base64');
  const isWhole = bytes.toString('base64') === text && bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES;
  return isWhole ? undefined : `must be ${PREFIX} and the base64 of ${LEAST_BYTES} to ${MOST_BYTES} bytes`;
}
