import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Randomness } from '#runtime/randomness';

/** Each purpose has its own subkey. A value sealed for one purpose does not open for another. */
export type Purpose =
  | 'client-secret'
  | 'webhook-secret'
  | 'personal-data'
  | 'buyer-email'
  | 'buyer-phone'
  | 'buyer-last-name'
  | 'search-cursor'
  | 'saved-view'
  | 'totp-secret'
  | 'order-note'
  | 'ledger-key'
  | 'openid-login';

export type BuyerField = 'email' | 'phone' | 'last_name';

const BUYER_FIELDS = {
  email: 'buyer-email',
  phone: 'buyer-phone',
  last_name: 'buyer-last-name',
} as const satisfies Record<BuyerField, Purpose>;

export const KEY_BYTES = 32;

/** AES-256-GCM with keys derived from ENCRYPTION_KEY. A second key would get number 2. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 8;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

export class UnsealError extends Error {
  constructor(purpose: Purpose) {
    super(`sealed ${purpose} cannot be opened: changed, moved, or sealed with another ENCRYPTION_KEY`);
    this.name = 'UnsealError';
  }
}

/** Sealed: version (1 byte), IV (12), tag (16), ciphertext. It opens only with the same `context` (its row), so it cannot be copied. */
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

  seal(purpose: Purpose, context: string, plaintext: Uint8Array): Buffer {
    return this.#encrypt(this.#subkey(`seal ${purpose}`), context, plaintext);
  }

  /** @throws UnsealError */
  open(purpose: Purpose, context: string, sealed: Buffer): Buffer {
    return decrypt(purpose, this.#subkey(`seal ${purpose}`), context, sealed);
  }

  /** A keyed digest (HMAC-SHA256, 32 bytes): equal texts can be found but not read. */
  digest(purpose: Purpose, text: string): Buffer {
    return createHmac('sha256', this.#subkey(`digest ${purpose}`))
      .update(text)
      .digest();
  }

  get fingerprint(): string {
    return this.#subkey('fingerprint').subarray(0, FINGERPRINT_BYTES).toString('hex');
  }

  /** The secret of the key that chains the log. */
  get ledgerSecret(): Buffer {
    return this.#subkey('ledger');
  }

  emailDigest(email: string): Buffer {
    return this.digest('buyer-email', email.trim().normalize('NFC').toLowerCase());
  }

  /** The digest by which a buyer's orders are found. Only letters and digits count, in any case. Undefined without any. */
  buyerDigest(field: BuyerField, value: string): Buffer | undefined {
    const folded = value
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
    return folded === '' ? undefined : this.digest(BUYER_FIELDS[field], folded);
  }

  /** Returns the digests that a value may be stored as. Older e-mail digests also count punctuation. */
  buyerDigests(field: BuyerField, value: string): Buffer[] {
    const digest = this.buyerDigest(field, value);
    if (!digest) return [];
    return field === 'email' ? [digest, this.emailDigest(value)] : [digest];
  }

  /** The key is derived from ENCRYPTION_KEY and the order's own key (32 bytes), so deleting the order's key erases the data. */
  sealPersonal(orderId: string, orderKey: Uint8Array, data: object): Buffer {
    return this.#encrypt(this.#personalKey(orderKey), personalDataContext(orderId), Buffer.from(JSON.stringify(data)));
  }

  openPersonal(orderId: string, orderKey: Uint8Array, sealed: Buffer): unknown {
    if (orderKey.length !== KEY_BYTES) throw new UnsealError('personal-data');
    const plaintext = decrypt('personal-data', this.#personalKey(orderKey), personalDataContext(orderId), sealed);
    return JSON.parse(plaintext.toString());
  }

  /** Seals a note on an order under the order's own key, so that erasing the buyer's data erases the note too. */
  sealNote(orderId: string, noteId: string, orderKey: Uint8Array, text: string): Buffer {
    return this.#encrypt(this.#personalKey(orderKey), noteContext(orderId, noteId), Buffer.from(text));
  }

  /** @throws UnsealError */
  openNote(orderId: string, noteId: string, orderKey: Uint8Array, sealed: Buffer): string {
    if (orderKey.length !== KEY_BYTES) throw new UnsealError('order-note');
    return decrypt('order-note', this.#personalKey(orderKey), noteContext(orderId, noteId), sealed).toString();
  }

  #encrypt(key: Buffer, context: string, plaintext: Uint8Array): Buffer {
    const iv = this.randomness.bytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(context));
    const ciphertext = cipher.update(plaintext);
    cipher.final();
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext]);
  }

  #personalKey(orderKey: Uint8Array): Buffer {
    if (orderKey.length !== KEY_BYTES) throw new RangeError(`an order's key has ${KEY_BYTES} bytes`);
    return createHmac('sha256', this.#subkey('seal personal-data by order')).update(orderKey).digest();
  }

  #subkey(label: string): Buffer {
    const cached = this.#subkeys.get(label);
    if (cached) return cached;
    const derived = Buffer.from(hkdfSync('sha256', this.#master, 'willcall', label, KEY_BYTES));
    this.#subkeys.set(label, derived);
    return derived;
  }
}

function decrypt(purpose: Purpose, key: Buffer, context: string, sealed: Buffer): Buffer {
  if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) throw new UnsealError(purpose);
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(context));
  decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, HEADER_BYTES));
  const plaintext = decipher.update(sealed.subarray(HEADER_BYTES));
  try {
    decipher.final();
  } catch {
    throw new UnsealError(purpose);
  }
  return plaintext;
}

/** Includes the version, so nobody can relabel a value for another version. */
function associatedData(context: string): Buffer {
  return Buffer.from(`${VERSION} ${context}`);
}

function personalDataContext(orderId: string): string {
  return `orders/${orderId}/personal`;
}

function noteContext(orderId: string, noteId: string): string {
  return `orders/${orderId}/notes/${noteId}`;
}
