import { createReadStream } from 'node:fs';
import { open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

// What counts of a notification is far shorter. The rest of a message is passed over, so a huge one costs no memory.
const LONGEST_BYTES = 256 * 1024;

const SEPARATOR = Buffer.from('\nFrom ');

/** The beginning of a message, and where in the file it begins. */
export type MailboxMessage = Readonly<{ at: number; bytes: Buffer }>;

/** The messages of an mbox file from a position on, which must be the beginning of one. The last one may still be being written. */
export async function* mboxMessages(path: string, from: number): AsyncGenerator<MailboxMessage> {
  let at = from;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  const keep = (bytes: Buffer) => {
    const part = bytes.subarray(0, LONGEST_BYTES - keptBytes);
    if (part.length > 0) kept.push(part);
    keptBytes += part.length;
  };
  const taken = (): MailboxMessage => {
    const bytes = Buffer.concat(kept);
    [kept, keptBytes] = [[], 0];
    // Without its envelope line.
    return { at, bytes: bytes.subarray(bytes.indexOf('\n') + 1) };
  };
  let position = from;
  // The end of a chunk that may be the beginning of a separator.
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { start: from })) {
    let bytes = Buffer.concat([rest, chunk as Buffer]);
    for (let end = bytes.indexOf(SEPARATOR); end >= 0; end = bytes.indexOf(SEPARATOR)) {
      keep(bytes.subarray(0, end + 1));
      yield taken();
      position += end + 1;
      at = position;
      bytes = bytes.subarray(end + 1);
    }
    const known = Math.max(0, bytes.length - SEPARATOR.length);
    keep(bytes.subarray(0, known));
    position += known;
    rest = Buffer.from(bytes.subarray(known));
  }
  keep(rest);
  if (keptBytes > 0) yield taken();
}

/** The bytes of a file, or undefined if there is none. */
export async function fileSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

/** Calls `work` with each new message of a Maildir, and then marks it as seen. Of two processes each message has at least one. */
export async function readMaildir(folder: string, work: (bytes: Buffer) => Promise<void>): Promise<void> {
  const names = await readdir(join(folder, 'new')).catch(() => []);
  for (const name of names) {
    const bytes = await beginningOf(join(folder, 'new', name));
    if (!bytes) continue;
    await work(bytes);
    // Somebody else may have been faster.
    await rename(join(folder, 'new', name), join(folder, 'cur', `${name}:2,S`)).catch(() => undefined);
  }
}

async function beginningOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_BYTES), 0, LONGEST_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
