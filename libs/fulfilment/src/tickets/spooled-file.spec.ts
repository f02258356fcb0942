import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { SystemRandomness } from '#base/randomness';
import { StorageError } from '#platform/object-store';
import { spooled } from './spooled-file.js';

const folder = temporaryFolder('spool');
const CONTENT = Buffer.concat([Buffer.from('Seat 4, A-0001'), randomBytes(200_000), Buffer.from('the end')]);
let count = 0;

async function file() {
  const path = join(folder, String((count += 1)));
  // Chunks whose ends are at no block of the cipher.
  const chunks = [CONTENT.subarray(0, 7), CONTENT.subarray(7, 100_001), CONTENT.subarray(100_001)];
  return { path, file: await spooled(Readable.from(chunks), path, CONTENT.length, new SystemRandomness()) };
}

it('an upload comes back as it was, from any place, and lies on the disk encrypted', async () => {
  const { path, file: upload } = await file();
  expect((await buffer(Readable.from(upload.content()))).equals(CONTENT)).toBe(true);
  for (const [at, length] of [
    [0, 14],
    [5, 40],
    [16, 16],
    [99_999, 33],
    [CONTENT.length - 7, 50],
  ] as const) {
    expect((await upload.bytesAt(at, length)).equals(CONTENT.subarray(at, at + length))).toBe(true);
  }
  const stored = readFileSync(path);
  expect([stored.length, stored.includes('A-0001'), stored.includes('the end')]).toEqual([
    CONTENT.length,
    false,
    false,
  ]);
});

it('an upload that was changed, cut off or removed on the disk is an error of the storage', async () => {
  for (const harm of [
    (path: string, stored: Buffer) => writeFileSync(path, stored.fill(0, 50, 51)),
    (path: string, stored: Buffer) => writeFileSync(path, stored.subarray(0, -1)),
    (path: string) => rmSync(path),
  ]) {
    const { path, file: upload } = await file();
    harm(path, readFileSync(path));
    await expect(buffer(Readable.from(upload.content()))).rejects.toThrow(StorageError);
  }
});
