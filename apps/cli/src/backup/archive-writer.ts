import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { MANIFEST, type Manifest, type UnsignedManifest } from './manifest.js';

// The highest level saves a tenth more and takes five times as long.
const GZIP_LEVEL = 1;

/** Writes an archive: a gzipped tar whose last entry is the manifest. Only its owner may read it. */
export class ArchiveWriter {
  readonly #tar = pack();
  readonly #written: Promise<void>;
  readonly #files: Record<string, { size: number; sha256: string }> = {};

  constructor(path: string) {
    const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
    this.#written = pipeline(this.#tar, createGzip({ level: GZIP_LEVEL }), file);
    // `finish` reports the failure.
    this.#written.catch(() => undefined);
  }

  async addDirectory(name: string): Promise<void> {
    await this.#entry({ name, type: 'directory', mode: 0o700 }, async () => undefined);
  }

  /** A file may grow, shrink or vanish meanwhile. Writes exactly as many bytes as it had at first, or nothing. */
  async addFile(name: string, path: string): Promise<void> {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return;
    await this.#add(name, found.size, found.mode & 0o777, readExactly(path, found.size));
  }

  async addText(name: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    await this.#add(name, content.length, 0o600, [content]);
  }

  async finish(
    about: Omit<UnsignedManifest, 'files'>,
    sign: (manifest: UnsignedManifest) => Manifest,
  ): Promise<Manifest> {
    const manifest = sign({ ...about, files: { ...this.#files } });
    await this.addText(MANIFEST, JSON.stringify(manifest));
    this.#tar.finalize();
    await this.#written;
    return manifest;
  }

  async abandon(): Promise<void> {
    this.#tar.destroy();
    await this.#written.catch(() => undefined);
  }

  async #add(
    name: string,
    size: number,
    mode: number,
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<void> {
    const hash = createHash('sha256');
    await this.#entry({ name, size, mode, type: 'file' }, async (entry) => {
      for await (const chunk of content) {
        hash.update(chunk);
        if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), this.#written]);
      }
    });
    this.#files[name] = { size, sha256: hash.digest('hex') };
  }

  async #entry(
    header: { name: string; size?: number; mode: number; type: 'file' | 'directory' },
    fill: (entry: Writable) => Promise<void>,
  ): Promise<void> {
    let entry: Writable | undefined;
    const done = new Promise<void>((resolve, reject) => {
      entry = this.#tar.entry(header, (error) => (error ? reject(error) : resolve()));
    });
    done.catch(() => undefined);
    if (entry && header.type === 'file') {
      await fill(entry);
      entry.end();
    }
    await Promise.race([done, this.#written]);
  }
}

async function* readExactly(path: string, size: number): AsyncIterable<Buffer> {
  let left = size;
  if (size > 0) {
    for await (const chunk of createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>) {
      left -= chunk.length;
      yield chunk;
    }
  }
  // PostgreSQL truncated the file. Its write-ahead log restores the rest.
  const zeros = Buffer.alloc(65_536);
  for (; left > 0; left -= Math.min(left, zeros.length)) yield zeros.subarray(0, left);
}
