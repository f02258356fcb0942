import { timingSafeEqual } from 'node:crypto';
import type { Randomness } from './randomness.js';
import { parseJson, stringifyJson } from './json.js';
import { decrypted, encrypted, headerWith, KEY_ID_BYTES, keyIdIn } from './crypto/envelope.js';
import { HmacKey } from './hmac.js';
import { KEY_BYTES, MasterKey } from './crypto/master-key.js';

/** Each purpose has its own subkey. A value sealed for one purpose does not open for another. */
export type Purpose =
  | 'client-secret'
  | 'webhook-secret'
  | 'webhook-credentials'
  | 'personal-data'
  | 'buyer-email'
  | 'buyer-email-start'
  | 'buyer-phone'
  | 'buyer-last-name'
  | 'buyer-first-name'
  | 'buyer-full-name'
  | 'search-cursor'
  | 'saved-view'
  | 'macro'
  | 'job-note'
  | 'screening-rules'
  | 'buyer-address'
  | 'card-number'
  | 'own-queue'
  | 'job-request'
  | 'job-file-link'
  | 'totp-secret'
  | 'bounce-address'
  | 'order-note'
  | 'ledger-key'
  | 'order-key'
  | 'openid-login'
  | 'known-browser'
  | 'file'
  | 'ticket-link'
  | 'pass-token'
  | 'pass-device'
  | 'choice-link'
  | 'unsubscribe-link'
  | 'barcode-key'
  | 'kept-answer'
  | 'backup-manifest'
  | 'idempotent-request';

/** The stored forms of an order's key, by their length. */
const BARE_BYTES = KEY_BYTES;
const NAMED_BYTES = KEY_ID_BYTES + KEY_BYTES;

export class UnsealError extends Error {
  constructor(purpose: Purpose) {
    super(`sealed ${purpose} cannot be opened: changed, moved, or sealed with another ENCRYPTION_KEY`);
    this.name = 'UnsealError';
  }
}

/** Both throw an UnsealError for what does not open. */
export type OrderOpener = Readonly<{
  /** The JSON of the buyer's data. */
  personal(sealed: Buffer): string;
  note(noteId: string, sealed: Buffer): string;
}>;

export type OrderSealer = Readonly<{
  personal(data: object): Buffer;
  note(noteId: string, text: string): Buffer;
}>;

/**
 * Seals with AES-256-GCM under keys derived from ENCRYPTION_KEY. A sealed value opens only with the same `context` (its row), so it cannot be
 * copied. While ENCRYPTION_KEY changes there are several: the first one seals, all open.
 */
export class Sealer {
  readonly #current: MasterKey;
  readonly #keys: readonly MasterKey[];

  /** @param previous keys that only open */
  constructor(
    encryptionKey: Uint8Array,
    private readonly randomness: Randomness,
    previous: readonly Uint8Array[] = [],
  ) {
    this.#current = new MasterKey(encryptionKey);
    const others = previous.map((key) => new MasterKey(key));
    this.#keys = [this.#current, ...others.filter(({ fingerprint }) => fingerprint !== this.#current.fingerprint)];
  }

  seal(purpose: Purpose, context: string, plaintext: Uint8Array): Buffer {
    return this.#encrypt(this.#current.subkey(`seal ${purpose}`), context, plaintext, this.#writtenId);
  }

  /** @throws UnsealError */
  open(purpose: Purpose, context: string, sealed: Buffer): Buffer {
    const keys = this.#candidates(sealed).map((key) => key.subkey(`seal ${purpose}`));
    return this.#decrypt(purpose, keys, context, sealed).plaintext;
  }

  /** Sealed with the current key, and with the id of that key. Undefined if it is so already. @throws UnsealError */
  resealed(purpose: Purpose, context: string, sealed: Buffer): Buffer | undefined {
    if (keyIdIn(sealed)?.equals(this.#current.id)) return undefined;
    const plaintext = this.open(purpose, context, sealed);
    return this.#encrypt(this.#current.subkey(`seal ${purpose}`), context, plaintext, this.#current.id);
  }

  /** A keyed digest (HMAC-SHA256, 32 bytes): equal texts can be found but not read. */
  digest(purpose: Purpose, text: string): Buffer {
    return digestBy(this.#current, purpose, text);
  }

  /** The digests that a text may have, by all keys, the current one first: it may have been made before the key changed. */
  digests(purpose: Purpose, text: string): Buffer[] {
    return this.#keys.map((key) => digestBy(key, purpose, text));
  }

  /** Whether a signed text has this digest, by any key: what was handed out before a change of ENCRYPTION_KEY stays good. In constant time. */
  isDigest(purpose: Purpose, text: string, given: Buffer): boolean {
    return this.digests(purpose, text).some(
      (digest) => digest.length === given.length && timingSafeEqual(digest, given),
    );
  }

  get fingerprint(): string {
    return this.#current.fingerprint;
  }

  /** Of all keys, the current one first. */
  get fingerprints(): readonly string[] {
    return this.#keys.map(({ fingerprint }) => fingerprint);
  }

  /** What values carry that are sealed with the current key while it changes. */
  get keyId(): Buffer {
    return this.#current.id;
  }

  /** What such values begin with. */
  get header(): Buffer {
    return headerWith(this.#current.id);
  }

  /** The secret of the key that chains the log. */
  get ledgerSecret(): Buffer {
    return this.#current.subkey('ledger');
  }

  /** Of all keys, the current one first. */
  get ledgerSecrets(): readonly Buffer[] {
    return this.#keys.map((key) => key.subkey('ledger'));
  }

  emailDigest(email: string): Buffer {
    return this.digest('buyer-email', foldedEmail(email));
  }

  /** The key of a new order, as it is stored, for an order that has sealed data (a `sibling`) from the start. */
  newOrderKey(): Buffer {
    return this.#writtenId ? this.newNamedOrderKey() : this.randomness.bytes(KEY_BYTES);
  }

  /** The same for an order without such data. Only the key itself can say which ENCRYPTION_KEY it belongs to. */
  newNamedOrderKey(): Buffer {
    return Buffer.concat([this.#current.id, this.randomness.bytes(KEY_BYTES)]);
  }

  /**
   * The key is derived from ENCRYPTION_KEY and the order's own key, so deleting the order's key erases the data.
   * @param orderKey as it is stored
   * @param sibling something of the order that is already sealed, for an order key that does not say which ENCRYPTION_KEY it belongs to
   */
  sealPersonal(orderId: string, orderKey: Uint8Array, data: object, sibling?: Buffer | null): Buffer {
    return this.orderSealer(orderId, orderKey, sibling).personal(data);
  }

  /** @throws UnsealError */
  openPersonal(orderId: string, orderKey: Uint8Array, sealed: Buffer): unknown {
    return parseJson(this.orderOpener(orderId, orderKey).personal(sealed));
  }

  /** Seals a note on an order under the order's own key, so that erasing the buyer's data erases the note too. `sibling` as above. */
  sealNote(orderId: string, noteId: string, orderKey: Uint8Array, text: string, sibling?: Buffer | null): Buffer {
    return this.orderSealer(orderId, orderKey, sibling).note(noteId, text);
  }

  /** For several values of one order: its key is derived once. `sibling` as above. @throws UnsealError */
  orderSealer(orderId: string, orderKey: Uint8Array, sibling?: Buffer | null): OrderSealer {
    const key = this.#sealingKey(orderId, orderKey, sibling);
    return {
      personal: (data) => this.#encrypt(key, personalDataContext(orderId), Buffer.from(stringifyJson(data))),
      note: (noteId, text) => this.#encrypt(key, noteContext(orderId, noteId), Buffer.from(text)),
    };
  }

  /** @throws UnsealError */
  openNote(orderId: string, noteId: string, orderKey: Uint8Array, sealed: Buffer): string {
    return this.orderOpener(orderId, orderKey).note(noteId, sealed);
  }

  /** For several values of one order: its key is derived once. @throws UnsealError */
  orderOpener(orderId: string, orderKey: Uint8Array): OrderOpener {
    const keys = this.#personalKeys(orderId, orderKey);
    const opened = (purpose: Purpose, context: string, sealed: Buffer) =>
      this.#decrypt(purpose, keys, context, sealed).plaintext.toString();
    return {
      personal: (sealed) => opened('personal-data', personalDataContext(orderId), sealed),
      note: (noteId, sealed) => opened('order-note', noteContext(orderId, noteId), sealed),
    };
  }

  /** The key of a file of the order. Deleting the order's key erases the file too, also in backups. `sibling` as above. @throws UnsealError */
  fileKey(orderId: string, orderKey: Uint8Array, fileId: string, sibling?: Buffer | null): Buffer {
    const key = this.#sealingKey(orderId, orderKey, sibling);
    return new HmacKey('sha256', key).digest(`file ${fileId}`);
  }

  /**
   * The order's key, stored so that only the current ENCRYPTION_KEY is needed. What the order has sealed stays as it is. Undefined if it is so
   * already. @throws UnsealError
   */
  resealedOrderKey(orderId: string, orderKey: Buffer, sibling: Buffer | null): Buffer | undefined {
    if (orderKey.length === NAMED_BYTES && this.#current.id.equals(orderKey.subarray(0, KEY_ID_BYTES)))
      return undefined;
    if (orderKey.length > NAMED_BYTES && keyIdIn(orderKey)?.equals(this.#current.id)) return undefined;
    const personalKey = this.#sealingKey(orderId, orderKey, sibling);
    const own = this.#current.subkey('seal order-key');
    return this.#encrypt(own, orderKeyContext(orderId), personalKey, this.#current.id);
  }

  /**
   * While the key changes, the order's key so stored that it belongs to the current ENCRYPTION_KEY, like the digests that this process makes.
   * Undefined without a change. @throws UnsealError
   */
  orderKeyForDigests(orderId: string, orderKey: Buffer, sibling: Buffer): Buffer | undefined {
    return this.#writtenId && (this.resealedOrderKey(orderId, orderKey, sibling) ?? orderKey);
  }

  /** Old processes do not know values with an id, so without a change of the key nothing gets one. */
  get #writtenId(): Buffer | undefined {
    return this.#keys.length > 1 ? this.#current.id : undefined;
  }

  #encrypt(key: Buffer, context: string, plaintext: Uint8Array, keyId?: Buffer): Buffer {
    return encrypted({ key, context, keyId }, plaintext, this.randomness);
  }

  /** @param keys those that may fit; `index` is that of the one that does */
  #decrypt(purpose: Purpose, keys: readonly Buffer[], context: string, sealed: Buffer) {
    for (const [index, key] of keys.entries()) {
      const plaintext = decrypted({ key, context }, sealed);
      if (plaintext) return { plaintext, index };
    }
    throw new UnsealError(purpose);
  }

  /** The keys that a value may be sealed with. */
  #candidates(sealed: Buffer): readonly MasterKey[] {
    const id = keyIdIn(sealed);
    return id ? this.#keys.filter((key) => key.id.equals(id)) : this.#keys;
  }

  /** The keys that the data of an order may be sealed with: one, unless the order's key does not say which ENCRYPTION_KEY it belongs to. */
  #personalKeys(orderId: string, orderKey: Uint8Array): readonly Buffer[] {
    if (orderKey.length === BARE_BYTES) return this.#keys.map((key) => personalKeyOf(key, orderKey));
    const stored = Buffer.from(orderKey);
    if (stored.length === NAMED_BYTES) {
      const [id, bare] = [stored.subarray(0, KEY_ID_BYTES), stored.subarray(KEY_ID_BYTES)];
      return this.#keys.filter((key) => key.id.equals(id)).map((key) => personalKeyOf(key, bare));
    }
    const keys = this.#candidates(stored).map((key) => key.subkey('seal order-key'));
    return [this.#decrypt('order-key', keys, orderKeyContext(orderId), stored).plaintext];
  }

  #sealingKey(orderId: string, orderKey: Uint8Array, sibling: Buffer | null = null): Buffer {
    const keys = this.#personalKeys(orderId, orderKey);
    const [only] = keys;
    if (only && keys.length === 1) return only;
    if (!sibling || keys.length === 0) throw new UnsealError('order-key');
    const { index } = this.#decrypt('personal-data', keys, personalDataContext(orderId), sibling);
    return keys[index] ?? only!;
  }
}

function personalKeyOf(master: MasterKey, bare: Uint8Array): Buffer {
  return master.hmacKey('seal personal-data by order').digest(bare);
}

function digestBy(key: MasterKey, purpose: Purpose, text: string): Buffer {
  return key.hmacKey(`digest ${purpose}`).digest(text);
}

/** An e-mail address as a person signs in with it: trimmed, in lower case, with its punctuation. */
export function foldedEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

function personalDataContext(orderId: string): string {
  return `orders/${orderId}/personal`;
}

function noteContext(orderId: string, noteId: string): string {
  return `orders/${orderId}/notes/${noteId}`;
}

function orderKeyContext(orderId: string): string {
  return `orders/${orderId}/key`;
}
