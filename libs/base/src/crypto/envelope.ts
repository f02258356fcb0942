import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Randomness } from '../randomness.js';

/** Version 1: the version (1 byte), IV (12), tag (16), ciphertext. Version 2 has the id of its ENCRYPTION_KEY (4) after the version. */
const WITHOUT_KEY_ID = 1;
const WITH_KEY_ID = 2;
export const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

type Place = Readonly<{ key: Buffer; context: string }>;

/** AES-256-GCM. With a `keyId` it is of version 2. */
export function encrypted(
  { key, context, keyId }: Place & Readonly<{ keyId: Buffer | undefined }>,
  plaintext: Uint8Array,
  randomness: Randomness,
): Buffer {
  const header = keyId ? headerWith(keyId) : Buffer.of(WITHOUT_KEY_ID);
  const iv = randomness.bytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(header, context));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
}

/** Undefined if the value was changed, is of another place, or has another key. */
export function decrypted({ key, context }: Place, sealed: Buffer): Buffer | undefined {
  const headerBytes = headerBytesOf(sealed);
  const [ivEnd, tagEnd] = [headerBytes + IV_BYTES, headerBytes + IV_BYTES + TAG_BYTES];
  if (headerBytes === 0 || sealed.length < tagEnd) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(headerBytes, ivEnd), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(sealed.subarray(0, headerBytes), context));
  decipher.setAuthTag(sealed.subarray(ivEnd, tagEnd));
  const plaintext = decipher.update(sealed.subarray(tagEnd));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plaintext;
}

/** What a value of this key begins with. */
export function headerWith(keyId: Buffer): Buffer {
  return Buffer.concat([Buffer.of(WITH_KEY_ID), keyId]);
}

/** The id of the ENCRYPTION_KEY that it was sealed with. Undefined if it does not say. */
export function keyIdIn(sealed: Buffer): Buffer | undefined {
  return sealed[0] === WITH_KEY_ID ? sealed.subarray(1, 1 + KEY_ID_BYTES) : undefined;
}

/** 0 for an unknown version. */
function headerBytesOf(sealed: Buffer): number {
  if (sealed[0] === WITHOUT_KEY_ID) return 1;
  return sealed[0] === WITH_KEY_ID ? 1 + KEY_ID_BYTES : 0;
}

/** Includes the version and the id, so nobody can relabel a value. */
function associatedData(header: Buffer, context: string): Buffer {
  if (header.length === 1) return Buffer.from(`${header[0]} ${context}`);
  return Buffer.from(`${header[0]} ${header.toString('hex', 1)} ${context}`);
}
