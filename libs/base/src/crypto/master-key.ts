import { hkdfSync } from 'node:crypto';
import { KEY_ID_BYTES } from './envelope.js';
import { HmacKey } from '../hmac.js';

export const KEY_BYTES = 32;
const FINGERPRINT_BYTES = 8;

/** An ENCRYPTION_KEY, from which the keys for each purpose are derived. */
export class MasterKey {
  readonly #bytes: Buffer;
  readonly #subkeys = new Map<string, Buffer>();
  readonly #hmacKeys = new Map<string, HmacKey>();
  /** Identifies the key in what it has sealed, and reveals nothing of it. */
  readonly id: Buffer;

  constructor(bytes: Uint8Array) {
    if (bytes.length !== KEY_BYTES) throw new RangeError(`an encryption key has ${KEY_BYTES} bytes`);
    this.#bytes = Buffer.from(bytes);
    this.id = this.#fingerprintBytes.subarray(0, KEY_ID_BYTES);
  }

  get fingerprint(): string {
    return this.#fingerprintBytes.toString('hex');
  }

  subkey(label: string): Buffer {
    const cached = this.#subkeys.get(label);
    if (cached) return cached;
    const derived = Buffer.from(hkdfSync('sha256', this.#bytes, 'willcall', label, KEY_BYTES));
    this.#subkeys.set(label, derived);
    return derived;
  }

  /** For HMAC-SHA256 under the subkey of that label. */
  hmacKey(label: string): HmacKey {
    const cached = this.#hmacKeys.get(label);
    if (cached) return cached;
    const made = new HmacKey('sha256', this.subkey(label));
    this.#hmacKeys.set(label, made);
    return made;
  }

  get #fingerprintBytes(): Buffer {
    return this.subkey('fingerprint').subarray(0, FINGERPRINT_BYTES);
  }
}
