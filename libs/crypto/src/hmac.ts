import { hash } from 'node:crypto';

// The block of both hash functions, which RFC 2104 pads the key to.
const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;

/**
 * HMAC (RFC 2104). By way of `createHmac` a busy api needed measurably more CPU for each purchase (docs/decisions.md).
 */
export function hmac(algorithm: 'sha1' | 'sha256', key: Uint8Array, message: Uint8Array): Buffer {
  const short = key.length > BLOCK_BYTES ? digest(algorithm, key) : key;
  const inner = Buffer.allocUnsafe(BLOCK_BYTES + message.length);
  pad(inner, short, INNER);
  inner.set(message, BLOCK_BYTES);
  const innerDigest = digest(algorithm, inner);
  const outer = Buffer.allocUnsafe(BLOCK_BYTES + innerDigest.length);
  pad(outer, short, OUTER);
  outer.set(innerDigest, BLOCK_BYTES);
  return digest(algorithm, outer);
}

/** By way of a text: a buffer that `hash` makes is memory outside the heap, one of ours a slice of Node's pool. */
function digest(algorithm: 'sha1' | 'sha256', bytes: Uint8Array): Buffer {
  return Buffer.from(hash(algorithm, bytes, 'binary'), 'binary');
}

function pad(block: Buffer, key: Uint8Array, byte: number): void {
  for (let index = 0; index < BLOCK_BYTES; index += 1) block[index] = (key[index] ?? 0) ^ byte;
}
