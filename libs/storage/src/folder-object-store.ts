import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { checkedKey, MissingObject, ObjectStore } from './object-store.js';

/** Objects as files below a folder, which all processes must share. */
export class FolderObjectStore extends ObjectStore {
  private unfinished = 0;

  constructor(private readonly folder: string) {
    super();
  }

  override async put(key: string, body: Readable, bytes: number): Promise<void> {
    const path = this.pathOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const part = `${path}.${process.pid}-${(this.unfinished += 1)}.part`;
    try {
      const written = await writeAll(part, body);
      if (written !== bytes) throw new Error(`${key} has ${written} bytes instead of ${bytes}`);
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  override async read(key: string): Promise<Readable> {
    const stream = createReadStream(this.pathOf(key));
    return await new Promise((resolve, reject) => {
      stream.once('open', () => resolve(stream));
      stream.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'ENOENT' ? new MissingObject(key) : error);
      });
    });
  }

  override async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  private pathOf(key: string): string {
    return join(this.folder, ...checkedKey(key).split('/'));
  }
}

/** The bytes are on the disk when it returns, because the database will say that the file is there. */
async function writeAll(path: string, body: Readable): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let written = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      await file.writeFile(chunk);
      written += chunk.length;
    }
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}
