import { hash } from 'node:crypto';

/** Of SHA-1 and of SHA-256. */
const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;

const LONGEST_DIGEST_BYTES = 32;
const MOST_BYTES_OF_A_CODE_UNIT = 3;

// Nothing waits between filling and hashing them, so all keys share them. Longer messages, which are rare, get a buffer of their own.
const message = Buffer.alloc(BLOCK_BYTES + 4_096);
const outerMessage = Buffer.alloc(BLOCK_BYTES + LONGEST_DIGEST_BYTES);

/**
 * HMAC (RFC 2104) with a key that is prepared once. Node's `createHmac` prepares it again for each message and makes an object for the
 * garbage collector: a purchase makes about ten HMACs and a read one or two, so that costs several hundredths of them (docs/decisions/libraries-or-own-code.md).
 */
export class HmacKey {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  constructor(
    private readonly algorithm: 'sha1' | 'sha256',
    key: Uint8Array,
  ) {
    const short = key.length > BLOCK_BYTES ? hash(algorithm, key, 'buffer') : key;
    const padded = (pad: number) =>
      Buffer.from(Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => (short[index] ?? 0) ^ pad));
    this.#inner = padded(INNER);
    this.#outer = padded(OUTER);
  }

  /** Of the parts as one message; text is UTF-8. 20 bytes with SHA-1, 32 with SHA-256. */
  digest(...parts: readonly (string | Uint8Array)[]): Buffer {
    // As text the inner digest takes less than half of the time that it takes as a buffer.
    const inner = hash(this.algorithm, this.#keyed(parts), 'binary');
    outerMessage.set(this.#outer);
    const end = BLOCK_BYTES + outerMessage.write(inner, BLOCK_BYTES, 'latin1');
    return Buffer.from(hash(this.algorithm, outerMessage.subarray(0, end), 'binary'), 'latin1');
  }

  #keyed(parts: readonly (string | Uint8Array)[]): Buffer {
    const most = parts.reduce((sum, part) => sum + part.length * MOST_BYTES_OF_A_CODE_UNIT, BLOCK_BYTES);
    if (most > message.length) {
      return Buffer.concat([
        this.#inner,
        ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
      ]);
    }
    message.set(this.#inner);
    let end = BLOCK_BYTES;
    for (const part of parts) {
      if (typeof part === 'string') end += message.write(part, end);
      else {
        message.set(part, end);
        end += part.length;
      }
    }
    return message.subarray(0, end);
  }
}
