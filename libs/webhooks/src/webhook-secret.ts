import type { Randomness } from '#runtime/randomness';

const PREFIX = 'whsec_';

// Standard Webhooks 1.0: 24 to 64 bytes.
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
const MADE_BYTES = 32;

/** `whsec_` and the base64 of 32 random bytes. */
export function makeSecret(randomness: Randomness): string {
  return PREFIX + randomness.bytes(MADE_BYTES).toString('base64');
}

/** What is wrong with a secret that somebody brings along; undefined when nothing is. */
export function refuseSecret(secret: string): string | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  // Node reads base64 leniently: the text must be what its bytes encode to.
  const bytes = Buffer.from(text, 'base64');
  const isWhole = bytes.toString('base64') === text && bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES;
  return isWhole ? undefined : `must be ${PREFIX} and the base64 of ${LEAST_BYTES} to ${MOST_BYTES} bytes`;
}
