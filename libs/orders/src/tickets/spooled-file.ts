import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { domainError } from '#domain/domain-error';

export type SpooledFile = Readonly<{ path: string; size: number; sha256: string; head: Buffer; tail: Buffer }>;

// The size of a photograph is behind its thumbnail.
const HEAD_BYTES = 256 * 1024;
const TAIL_BYTES = 1024;

/**
 * Writes an upload into a file of its own, because an archive can only be read from its end. Memory does not depend on the size.
 * @throws DomainError if it has more than `maxBytes`
 */
export async function spooled(source: AsyncIterable<Buffer>, path: string, maxBytes: number): Promise<SpooledFile> {
  const hash = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw domainError('FILE_TOO_LARGE', `a file has more than ${maxBytes} bytes`);
      hash.update(chunk);
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { path, size, sha256: hash.digest('hex'), head, tail };
}
