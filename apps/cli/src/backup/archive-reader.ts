import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { extract, type Entry } from 'tar-stream';
import { parseForeignJson } from '#base/json';
import { UserError } from '../terminal/user-error.js';
import { isClusterData } from '#database/physical-backup';
import { CLUSTER_FOLDER, FILES_FOLDER, isKept, MANIFEST, Manifest } from './manifest.js';

// Larger than the manifest of any cluster.
const MAX_MANIFEST_BYTES = 64 * 1024 ** 2;

/** Reads the whole archive and compares each file with the manifest. */
export async function checkArchive(path: string): Promise<Manifest> {
  const found = new Map<string, string>();
  let manifest: Manifest | undefined;
  await eachEntry(path, async (entry) => {
    const { name, type, size } = entry.header;
    if (type === 'directory' && isSafe(name)) return void entry.resume();
    if (name === MANIFEST && size <= MAX_MANIFEST_BYTES) return void (manifest = await manifestIn(entry));
    if (type !== 'file' || !isSafe(name)) throw notABackup(path);
    const hash = createHash('sha256');
    for await (const chunk of entry as AsyncIterable<Buffer>) hash.update(chunk);
    found.set(name, described({ size: size ?? 0, sha256: hash.digest('hex') }));
  });
  if (!manifest) throw notABackup(path);
  const expected = Object.entries(manifest.files);
  const differs = expected.find(([name, file]) => found.get(name) !== described(file));
  if (differs) throw isDamaged(path, differs[0]);
  if (expected.length !== found.size) throw notABackup(path);
  return manifest;
}

/**
 * Extracts the archive below `folder`, but of the cluster its data only: its configuration can name programs. Check the archive first;
 * what has changed since then does not arrive.
 */
export async function extractArchive(
  path: string,
  manifest: Manifest,
  folder: string,
  onExtracted: (path: string) => void,
): Promise<void> {
  await eachEntry(path, async (entry) => {
    const { name, type, size } = entry.header;
    if (name === MANIFEST || !isWanted(name)) return void entry.resume();
    const place = join(folder, name);
    await mkdir(type === 'directory' ? place : dirname(place), { recursive: true, mode: 0o700 });
    if (type === 'directory') entry.resume();
    else {
      const sha256 = await writeEntry(entry, place);
      const expected = manifest.files[name];
      if (!expected || described(expected) !== described({ size: size ?? 0, sha256 })) throw isDamaged(path, name);
    }
    onExtracted(place);
  });
}

/** @returns the SHA-256 of its content */
async function writeEntry(entry: Entry, place: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(place, 'wx', 0o600);
  try {
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

const described = ({ size, sha256 }: Manifest['files'][string]) => `${size} ${sha256}`;

const isDamaged = (path: string, name: string) =>
  new UserError(`${path} is damaged: ${name} is not what was backed up.`);

async function eachEntry(path: string, visit: (entry: Entry) => Promise<void>): Promise<void> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  const tar = extract();
  file.on('error', (error) => gunzip.destroy(error));
  gunzip.on('error', (error) => tar.destroy(error));
  file.pipe(gunzip).pipe(tar);
  try {
    for await (const entry of tar) await visit(entry);
  } catch (error) {
    throw toUserError(path, error);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

function toUserError(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof UserError) return error;
  if (code === 'ENOENT') return new UserError(`There is no file ${path}.`);
  if (code === 'EISDIR') return notABackup(path);
  if (code === 'Z_DATA_ERROR' && message === 'incorrect header check') return notABackup(path);
  if (code?.startsWith('Z_') || /tar|end of (file|data)/i.test(message)) {
    return new UserError(`${path} is damaged: it cannot be read to its end.`);
  }
  return error;
}

async function manifestIn(entry: Entry): Promise<Manifest | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return Manifest.parse(parseForeignJson(Buffer.concat(chunks).toString()));
  } catch {
    return undefined;
  }
}

/** Nothing may be written outside of the folder, or where the programs of the server are looked for. */
function isSafe(name: string): boolean {
  const isPlain = !name
    .replace(/\/$/, '')
    .split(/[/\\]/)
    .some((part) => ['', '.', '..'].includes(part));
  if (!isPlain) return false;
  return name.startsWith(CLUSTER_FOLDER) || (name.startsWith(FILES_FOLDER) && isKept(name.slice(FILES_FOLDER.length)));
}

function isWanted(name: string): boolean {
  return isSafe(name) && (name.startsWith(FILES_FOLDER) || isClusterData(name.slice(CLUSTER_FOLDER.length)));
}

function notABackup(path: string): UserError {
  return new UserError(`${path} is not a backup that this version of Willcall can read.`);
}
