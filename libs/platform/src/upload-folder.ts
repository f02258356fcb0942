import { mkdir, mkdtemp, opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that are still being written, below the folder of the files: `rename` works only within one file system. */
const UPLOADS_FOLDER = '.uploads';

// A sender who is silent for a minute is cut off, so no upload in hand is this old.
const ABANDONED_AFTER_MS = 3_600_000;

/** The folder for what is being written below `folder`. Each piece of work has one of its own in it, named so that no two clash. */
export class UploadFolder {
  private readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, UPLOADS_FOLDER);
  }

  async make(): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    return await mkdtemp(join(this.path, 'upload-'));
  }

  /** What cannot be removed now is swept later. */
  async remove(own: string): Promise<void> {
    await rm(own, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Removes what killed processes have left, of this machine or another one. @param now milliseconds since the epoch */
  async sweep(now: number): Promise<void> {
    const before = now - ABANDONED_AFTER_MS;
    for (const name of await readdir(this.path).catch(() => [])) {
      const own = join(this.path, name);
      if ((await newestWithin(own)) < before) await this.remove(own);
    }
  }

  /** The same for parts that earlier versions wrote beside the files. It looks at every file. */
  async sweepParts(now: number): Promise<void> {
    const before = now - ABANDONED_AFTER_MS;
    const files = await opendir(this.folder, { recursive: true }).catch(() => []);
    try {
      for await (const entry of files) {
        if (!entry.isFile() || !entry.name.endsWith('.part')) continue;
        const path = join(entry.parentPath, entry.name);
        if ((await changedAt(path)) < before) await this.remove(path);
      }
    } catch {
      // A folder that went away meanwhile: the next start looks again.
    }
  }
}

/** When something was last written in a folder. Infinity if it is gone. */
async function newestWithin(own: string): Promise<number> {
  const names = await readdir(own).catch(() => []);
  const times = await Promise.all([own, ...names.map((name) => join(own, name))].map(changedAt));
  return Math.max(...times);
}

async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity;
}
