import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Randomness } from './randomness.js';
import { UnsealError } from './sealing.js';

/** The version (1 byte), IV (12), ciphertext, tag (16): the tag comes last, because a stream knows it only then. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + IV_BYTES;

export const SEALED_FILE_OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES;

type Chunks = AsyncIterable<Uint8Array>;

/** Encrypts with AES-256-GCM while it reads. Use each key for one file only. */
export async function* sealedFile(key: Buffer, source: Chunks, randomness: Randomness): AsyncGenerator<Buffer> {
  const header = Buffer.concat([Buffer.of(VERSION), randomness.bytes(IV_BYTES)]);
  const cipher = createCipheriv('aes-256-gcm', key, header.subarray(1), { authTagLength: TAG_BYTES });
  cipher.setAAD(header.subarray(0, 1));
  yield header;
  for await (const chunk of source) yield cipher.update(chunk);
  cipher.final();
  yield cipher.getAuthTag();
}

/** Decrypts while it reads. The last part comes only after the tag was checked, so a changed file never arrives whole. @throws UnsealError */
export async function* openedFile(key: Buffer, source: Chunks): AsyncGenerator<Buffer> {
  const reader = source[Symbol.asyncIterator]();
  try {
    let rest = Buffer.alloc(0);
    const fill = async (least: number) => {
      while (rest.length < least) {
        const { done, value } = await reader.next();
        if (done) return false;
        rest = Buffer.concat([rest, value]);
      }
      return true;
    };
    if (!(await fill(HEADER_BYTES)) || rest[0] !== VERSION) throw new UnsealError('file');
    const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(1, HEADER_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(rest.subarray(0, 1));
    rest = rest.subarray(HEADER_BYTES);
    let held: Buffer | undefined;
    while (await fill(TAG_BYTES + 1)) {
      if (held) yield held;
      held = decipher.update(rest.subarray(0, rest.length - TAG_BYTES));
      rest = rest.subarray(rest.length - TAG_BYTES);
    }
    if (rest.length !== TAG_BYTES) throw new UnsealError('file');
    checkTag(decipher, rest);
    if (held) yield held;
  } finally {
    await reader.return?.();
  }
}

function checkTag(decipher: ReturnType<typeof createDecipheriv>, tag: Buffer): void {
  try {
    (decipher as ReturnType<typeof createDecipheriv> & { setAuthTag(tag: Buffer): unknown }).setAuthTag(tag);
    decipher.final();
  } catch {
    throw new UnsealError('file');
  }
}
