import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { domainError } from '#domain/domain-error';
import type { Randomness } from '#base/randomness';
import { StorageError } from '#platform/object-store';

/** What `spooled` has found out while it wrote. */
type Written = Readonly<{ size: number; sha256: string; head: Buffer; tail: Buffer }>;

const HEAD_BYTES = 64;
const TAIL_BYTES = 1024;
const CHUNK_BYTES = 64 * 1024;

const CIPHER = 'aes-256-ctr';
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;

/** An upload on the disk, encrypted with a key that only this process has: if it is killed, nobody can read what it leaves. */
export class SpooledFile {
  readonly size: number;
  readonly sha256: string;
  readonly head: Buffer;
  readonly tail: Buffer;

  constructor(
    private readonly path: string,
    private readonly key: Buffer,
    { size, sha256, head, tail }: Written,
  ) {
    this.size = size;
    this.sha256 = sha256;
    this.head = head;
    this.tail = tail;
  }

  /** The content, opened when somebody reads it. @throws StorageError, also if it is no longer what was written */
  async *content(): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    for (let at = 0; at < this.size;) {
      const bytes = await this.bytesAt(at, CHUNK_BYTES);
      if (bytes.length === 0) break;
      at += bytes.length;
      hash.update(bytes);
      yield bytes;
    }
    if (hash.digest('hex') !== this.sha256) throw new StorageError('an upload is no longer what it was');
  }

  /** Fewer bytes at the end of the file. @throws StorageError */
  async bytesAt(at: number, length: number): Promise<Buffer> {
    const into = Buffer.alloc(Math.max(0, Math.min(length, this.size - at)));
    return await StorageError.within(async () => {
      const file = await open(this.path);
      try {
        const { bytesRead } = await file.read(into, 0, into.length, at);
        return this.opened(into.subarray(0, bytesRead), at);
      } finally {
        await file.close();
      }
    });
  }

  private opened(sealed: Buffer, at: number): Buffer {
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.writeBigUInt64BE(BigInt(Math.floor(at / BLOCK_BYTES)), 8);
    const decipher = createDecipheriv(CIPHER, this.key, counter);
    decipher.update(Buffer.alloc(at % BLOCK_BYTES));
    return decipher.update(sealed);
  }
}

/**
 * Writes an upload into a file of its own, because an archive can only be read from its end. Memory does not depend on the size.
 * @throws DomainError if it has more than `maxBytes`, StorageError
 */
export async function spooled(
  source: AsyncIterable<Buffer>,
  path: string,
  maxBytes: number,
  randomness: Randomness,
): Promise<SpooledFile> {
  const key = randomness.bytes(KEY_BYTES);
  const file = await StorageError.within(() => open(path, 'wx', 0o600));
  try {
    return new SpooledFile(path, key, await written(source, file, key, maxBytes));
  } finally {
    await StorageError.within(() => file.close());
  }
}

async function written(
  source: AsyncIterable<Buffer>,
  file: FileHandle,
  key: Buffer,
  maxBytes: number,
): Promise<Written> {
  const cipher = createCipheriv(CIPHER, key, Buffer.alloc(BLOCK_BYTES));
  const hash = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) throw domainError('FILE_TOO_LARGE', `a file has more than ${maxBytes} bytes`);
    hash.update(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
    await StorageError.within(() => file.writeFile(cipher.update(chunk)));
  }
  return { size, sha256: hash.digest('hex'), head, tail };
}
