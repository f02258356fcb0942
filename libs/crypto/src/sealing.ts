import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Randomness } from '#runtime/randomness';

/** What a subkey is for. What is sealed or digested for one purpose means nothing for another. */
export type Purpose = 'client-secret' | 'webhook-secret' | 'personal-data' | 'buyer-email';

export const KEY_BYTES = 32;

/** The first byte of everything sealed: AES-256-GCM under keys of ENCRYPTION_KEY. A second key gets a second number. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 8;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/** Sealed bytes were changed, cut, moved to another place, or sealed with another key. */
export class CannotOpen extends Error {
  constructor(purpose: Purpose) {
    super(`sealed ${purpose} cannot be opened: changed, moved, or sealed with another ENCRYPTION_KEY`);
    this.name = 'CannotOpen';
  }
}

/**
 * Encrypts what the database must not show, under keys derived from the setting ENCRYPTION_KEY (32 bytes). A sealed
 * value is version (1 byte), initialisation vector (12), tag (16), ciphertext. It opens only at its `place`, the name
 * of the row it belongs to, so that a row's value cannot be copied into another row.
 */
export class Sealer {
  readonly #master: Buffer;
  readonly #subkeys = new Map<string, Buffer>();

  constructor(
    encryptionKey: Uint8Array,
    private readonly randomness: Randomness,
  ) {
    if (encryptionKey.length !== KEY_BYTES) throw new RangeError(`an encryption key has ${KEY_BYTES} bytes`);
    this.#master = Buffer.from(encryptionKey);
  }

  seal(purpose: Purpose, place: string, plaintext: Uint8Array): Buffer {
    return this.#encrypt(this.#subkey(`seal ${purpose}`), place, plaintext);
  }

  /** Throws `CannotOpen`. */
  open(purpose: Purpose, place: string, sealed: Buffer): Buffer {
    return decrypt(purpose, this.#subkey(`seal ${purpose}`), place, sealed);
  }

  /** HMAC-SHA256 (32 bytes) by which equal texts are found without being readable. */
  digest(purpose: Purpose, text: string): Buffer {
    return createHmac('sha256', this.#subkey(`digest ${purpose}`))
      .update(text)
      .digest();
  }

  /** A name for the key, to compare it by: 16 hex digits, from which the key cannot be worked out. */
  get fingerprint(): string {
    return this.#subkey('fingerprint').subarray(0, FINGERPRINT_BYTES).toString('hex');
  }

  /** The digest under which a buyer's orders are found, however the address was capitalised. */
  emailDigest(email: string): Buffer {
    return this.digest('buyer-email', email.trim().normalize('NFC').toLowerCase());
  }

  /**
   * Seals a buyer's data with a key made of ENCRYPTION_KEY and the order's own random key (32 bytes): neither opens it
   * alone, and deleting the order's key erases it.
   */
  sealPersonal(orderId: string, orderKey: Uint8Array, data: object): Buffer {
    return this.#encrypt(this.#personalKey(orderKey), personalPlace(orderId), Buffer.from(JSON.stringify(data)));
  }

  /** The data as parsed JSON. Throws `CannotOpen`. */
  openPersonal(orderId: string, orderKey: Uint8Array, sealed: Buffer): unknown {
    if (orderKey.length !== KEY_BYTES) throw new CannotOpen('personal-data');
    const plaintext = decrypt('personal-data', this.#personalKey(orderKey), personalPlace(orderId), sealed);
    return JSON.parse(plaintext.toString());
  }

  #encrypt(key: Buffer, place: string, plaintext: Uint8Array): Buffer {
    const iv = this.randomness.bytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(place));
    const ciphertext = cipher.update(plaintext);
    cipher.final();
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
  }

  #personalKey(orderKey: Uint8Array): Buffer {
    if (orderKey.length !== KEY_BYTES) throw new RangeError(`an order's key has ${KEY_BYTES} bytes`);
    return createHmac('sha256', this.#subkey('seal personal-data by order')).update(orderKey).digest();
  }

  #subkey(label: string): Buffer {
    const known = this.#subkeys.get(label);
    if (known) return known;
    const derived = Buffer.from(hkdfSync('sha256', this.#master, 'willcall', label, KEY_BYTES));
    this.#subkeys.set(label, derived);
    return derived;
  }
}

function decrypt(purpose: Purpose, key: Buffer, place: string, sealed: Buffer): Buffer {
  if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) throw new CannotOpen(purpose);
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(place));
  decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, HEADER_BYTES));
  const plaintext = decipher.update(sealed.subarray(HEADER_BYTES));
  try {
    decipher.final();
  } catch {
    throw new CannotOpen(purpose);
  }
  return plaintext;
}

/** The version is bound too: nobody may relabel a value to have it read by another rule. */
function boundTo(place: string): Buffer {
  return Buffer.from(`${VERSION} ${place}`);
}

function personalPlace(orderId: string): string {
  return `orders/${orderId}/personal`;
}
