import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import type { SpooledFile } from './spooled-file.js';

/** Apple Wallet reads these in every pass. */
const NEEDED = ['pass.json', 'manifest.json', 'signature'];

// A pass has some pictures in several languages. Apple's own examples have less than 100 files and 1 MB.
const MOST_ENTRIES = 500;
const MOST_BYTES = 20 * 1024 * 1024;
// What deflate reaches with text. A bomb has a thousand.
const MOST_RATIO = 200;
const FREE_BYTES = 64 * 1024;

/**
 * What is wrong with a pass (pkpass). Undefined if it is one. Every part is unpacked once, and thrown away, because the sizes that
 * an archive states may be lies. Never more than MOST_BYTES are unpacked.
 */
export async function passIssue(file: Pick<SpooledFile, 'size' | 'bytesAt'>): Promise<string | undefined> {
  // It would unpack to more.
  if (file.size > MOST_BYTES) return 'unpacks to too much';
  const bytes = await file.bytesAt(0, file.size);
  let archive: ZipFile;
  try {
    archive = await fromBufferPromise(bytes, { autoClose: false, strictFileNames: true });
  } catch {
    return 'is no ZIP archive';
  }
  try {
    return await contentIssue(archive);
  } catch {
    return 'is a broken ZIP archive';
  } finally {
    archive.close();
  }
}

async function contentIssue(archive: ZipFile): Promise<string | undefined> {
  if (archive.entryCount > MOST_ENTRIES) return `has more than ${MOST_ENTRIES} files`;
  const names = new Set<string>();
  let left = MOST_BYTES;
  for await (const entry of archive.eachEntry()) {
    const { fileName: name, uncompressedSize: size, compressedSize } = entry;
    if (names.has(name)) return 'has two files of the same name';
    names.add(name);
    if (entry.isEncrypted()) return 'is encrypted';
    if (size > left || size > compressedSize * MOST_RATIO + FREE_BYTES) return 'unpacks to too much';
    if (!name.endsWith('/')) left -= await unpackedBytes(archive, entry);
  }
  const missing = NEEDED.filter((name) => !names.has(name));
  return missing.length === 0 ? undefined : `lacks ${missing.join(', ')}`;
}

/** yauzl ends the stream with an error as soon as there is more than the entry states. */
async function unpackedBytes(archive: ZipFile, entry: Entry): Promise<number> {
  let bytes = 0;
  for await (const chunk of await archive.openReadStreamPromise(entry)) bytes += (chunk as Buffer).length;
  return bytes;
}
