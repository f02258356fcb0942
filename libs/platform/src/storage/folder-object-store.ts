import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { MissingObject, type ObjectPart, ObjectStore } from '../object-store.js';
import { UploadFolder } from '../upload-folder.js';

/** Objects as files below a folder, which all processes must share. */
export class FolderObjectStore extends ObjectStore {
  private readonly uploads: UploadFolder;

  constructor(private readonly folder: string) {
    super();
    this.uploads = new UploadFolder(folder);
  }

  protected override async write(key: string, body: Readable, bytes: number): Promise<void> {
    const path = this.pathOf(key);
    const own = await this.uploads.make();
    try {
      const part = join(own, 'part');
      const written = await writeAll(part, body);
      if (written !== bytes) throw new Error(`${key} has ${written} bytes instead of ${bytes}`);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(part, path);
      await syncUpTo(dirname(path), dirname(made ?? path));
    } finally {
      await this.uploads.remove(own);
    }
  }

  protected override async open(key: string, part?: ObjectPart): Promise<Readable> {
    const range = part && { start: part.start, end: part.start + part.bytes - 1 };
    const stream = createReadStream(this.pathOf(key), range);
    return await new Promise((resolve, reject) => {
      stream.once('open', () => resolve(stream));
      stream.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'ENOENT' ? new MissingObject(key) : error);
      });
    });
  }

  protected override async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await rm(path, { force: true });
    // What was erased must not come back after a power failure.
    await syncUpTo(dirname(path), dirname(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }

  private pathOf(key: string): string {
    return join(this.folder, ...key.split('/'));
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

/** The names are on the disk too: of the file in its folder, and of each folder that was made for it. */
async function syncUpTo(path: string, last: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  if (path !== last && path.startsWith(last)) await syncUpTo(dirname(path), last);
}
