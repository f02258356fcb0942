import { hash, timingSafeEqual } from 'node:crypto';
import { HmacKey } from '#base/hmac';

export const GENESIS = Buffer.alloc(32);

export type Link = Readonly<{
  stream: string;
  position: number;
  event_id: string;
  type: string;
  recorded_at: string;
  /** The JSON texts exactly as stored. The columns have the type json, which keeps every byte. */
  data: string;
  metadata: string;
}>;

/**
 * The hash of an event, over the previous hash and the event. No part can contain a line feed (JSON escapes it), so text cannot move between
 * parts. Without a key it is the plain SHA-256 of earlier releases.
 */
export function chainHash(previous: Buffer, link: Link, key?: LedgerKey): Buffer {
  const text = `${link.stream}\n${link.position}\n${link.event_id}\n${link.type}\n${link.recorded_at}\n${link.data}\n${link.metadata}`;
  return key?.event(previous, text) ?? hash('sha256', Buffer.concat([previous, Buffer.from(text)]), 'buffer');
}

/** A tagged MAC: version (1 byte), id of the key (4), HMAC-SHA256 (32). */
const VERSION = 1;
const ID_BYTES = 4;
const TAG_BYTES = 1 + ID_BYTES;
const MAC_BYTES = TAG_BYTES + 32;

/** True for the hash of an event that was made with a key. Hashes of earlier releases are plain SHA-256. */
export function isKeyed(hash: Uint8Array): boolean {
  return hash.length === MAC_BYTES && hash[0] === VERSION;
}

/** Authenticates events and heads of the feed. Derived from ENCRYPTION_KEY, so nobody can compute its MACs from the database alone. */
export class LedgerKey {
  readonly #tag: Buffer;
  readonly #event: HmacKey;
  readonly #head: HmacKey;

  /** @param secret 32 bytes that belong to this purpose only, as `Sealer.ledgerSecret` */
  constructor(readonly secret: Buffer) {
    const own = new HmacKey('sha256', secret);
    this.#tag = Buffer.concat([Buffer.of(VERSION), own.digest('id').subarray(0, ID_BYTES)]);
    this.#event = new HmacKey('sha256', own.digest('event'));
    this.#head = new HmacKey('sha256', own.digest('head'));
  }

  get id(): string {
    return this.#tag.subarray(1).toString('hex');
  }

  /** The tagged MAC of an event, which also covers the hash of the event before it. */
  event(previous: Uint8Array, text: string): Buffer {
    return this.#tagged(this.#event.digest(previous, text));
  }

  /** The tagged MAC of a head of the feed. */
  head(text: string): Buffer {
    return this.#tagged(this.#head.digest(text));
  }

  isHeadMac(mac: Buffer, text: string): boolean {
    const expected = this.head(text);
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  }

  #tagged(mac: Buffer): Buffer {
    return Buffer.concat([this.#tag, mac], MAC_BYTES);
  }
}

/** The keys that made the MACs of a log: the present one, and those from before a change of ENCRYPTION_KEY. */
export class LedgerKeys {
  readonly #byId: ReadonlyMap<string, LedgerKey>;

  constructor(keys: readonly LedgerKey[]) {
    this.#byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** The key of a tagged MAC. Undefined if it is not known, or if the bytes are no such MAC. */
  of(mac: Buffer): LedgerKey | undefined {
    return isKeyed(mac) ? this.#byId.get(mac.subarray(1, TAG_BYTES).toString('hex')) : undefined;
  }
}
