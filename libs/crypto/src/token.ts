import { hash, timingSafeEqual } from 'node:crypto';
import type { Randomness } from '#runtime/randomness';

// 256 bits. As 64 hexadecimal digits they fill one block of SHA-1, the most that its HMAC takes without hashing the key first.
const TOKEN_BYTES = 32;

/** A token of 32 random bytes in hex, after `prefix`. Nobody can guess it, so its plain digest is safe to store. */
export function newToken(randomness: Randomness, prefix = ''): string {
  return prefix + randomness.bytes(TOKEN_BYTES).toString('hex');
}

/** SHA-256 (32 bytes): all that is stored of a token. */
export function tokenDigest(token: string | Uint8Array): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Whether the token has this digest. Takes equally long wherever the two differ, and however long the token is. */
export function hasDigest(token: string | Uint8Array, digest: Uint8Array): boolean {
  return timingSafeEqual(tokenDigest(token), digest);
}
