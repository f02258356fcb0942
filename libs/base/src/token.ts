import { hash, timingSafeEqual } from 'node:crypto';
import type { Randomness } from './randomness.js';

// 256 bits. Their 64 hexadecimal digits fill one block of SHA-1, the longest key that its HMAC takes without hashing it first.
const TOKEN_BYTES = 32;

/** Returns `prefix` and 32 random bytes in hex. Nobody can guess the token, so its unsalted digest is safe to store. */
export function newToken(randomness: Randomness, prefix = ''): string {
  return prefix + randomness.bytes(TOKEN_BYTES).toString('hex');
}

export function tokenDigest(token: string | Uint8Array): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The token of the header `Authorization: Bearer`. */
export function bearerTokenIn(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Compares in constant time. */
export function hasDigest(token: string | Uint8Array, digest: Uint8Array): boolean {
  return timingSafeEqual(tokenDigest(token), digest);
}

// Blanks alone name nothing.
const NAME = /^(?!\s+$)[^\p{C}]{1,200}$/u;

/** Whether somebody can tell a token or a client by this name: 1 to 200 visible characters. */
export function isCredentialName(name: string): boolean {
  return NAME.test(name);
}
