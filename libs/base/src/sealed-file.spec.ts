import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { SystemRandomness } from './randomness.js';
import { openedFile, SEALED_FILE_OVERHEAD_BYTES, sealedFile } from './sealed-file.js';
import { UnsealError } from './sealing.js';

const key = Buffer.alloc(32, 1);
const text = Buffer.from('seat 4, row C. '.repeat(5_000));

const all = async (chunks: AsyncIterable<Uint8Array>) => Buffer.concat(await Readable.from(chunks).toArray());
/** In pieces that fit no block of the format. */
const pieces = (bytes: Buffer, size: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  );
const sealed = (size = 1_000) => all(sealedFile(key, pieces(text, size), new SystemRandomness()));

describe('a sealed file', () => {
  it.each([1, 7, 16, 17, 4_096, 1_000_000])('opens again when it is read in pieces of %i bytes', async (size) => {
    const bytes = await sealed();
    expect(bytes.length).toBe(text.length + SEALED_FILE_OVERHEAD_BYTES);
    const some = size < 16 ? bytes.subarray(0, 40) : bytes;
    const opened = all(openedFile(key, pieces(some, size)));
    // The short one has no valid tag, but must be read the same way.
    if (size < 16) await expect(opened).rejects.toThrow(UnsealError);
    else expect((await opened).equals(text)).toBe(true);
  });

  it('may be empty', async () => {
    const bytes = await all(sealedFile(key, Readable.from([]), new SystemRandomness()));
    expect(await all(openedFile(key, pieces(bytes, 5)))).toHaveLength(0);
  });

  it('never arrives whole when somebody changed, cut or moved it', async () => {
    const bytes = await sealed();
    const changed = Buffer.from(bytes);
    changed[500]! ^= 1;
    for (const wrong of [changed, bytes.subarray(0, -1), bytes.subarray(0, 20), Buffer.alloc(0)]) {
      let arrived = 0;
      const read = async () => {
        for await (const chunk of openedFile(key, pieces(wrong, 1_000))) arrived += chunk.length;
      };
      await expect(read()).rejects.toThrow(UnsealError);
      expect(arrived).toBeLessThan(text.length);
    }
    await expect(all(openedFile(Buffer.alloc(32, 2), pieces(bytes, 1_000)))).rejects.toThrow(UnsealError);
  });
});
