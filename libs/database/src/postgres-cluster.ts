import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { canReach, serverAccount, type Account } from './postgres-account.js';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { isAlive, send } from './process-signals.js';

const run = promisify(execFile);

/** A cluster on disk: where it is, who runs it, and by which programs. */
export type Cluster = {
  directory: string;
  /** Below a folder that the account may not enter: the programs reach the directory as their current one only. */
  isEnclosed: boolean;
  account: Account;
  binaries: PostgresBinaries;
};

// Where the programs are copied for an account that cannot enter node_modules. Holds no data.
const ROOTS_OWN_PLACE = '/var/lib/willcall';
// For each of: a fast shutdown, an immediate one (the next start recovers), and the kernel's.
const STOPPED_WITHIN_MS = 20_000;
const PASSWORD_FILE = 'superuser.password';
// A running server needs nothing of ours in its environment, and PG* variables would change what it does.
const ENVIRONMENT = { LC_ALL: 'C' };
const CURRENT_DIRECTORY = '/proc/self/cwd';

/**
 * Finds the cluster in `dataDirectory`, or makes an empty one there; whole or not at all. Removes what killed starts have
 * left unfinished, so hold the directory's lock.
 */
export async function openCluster(dataDirectory: string, durable: boolean): Promise<Cluster> {
  const cluster = locateCluster(dataDirectory);
  if (!existsSync(join(cluster.directory, 'PG_VERSION'))) await initialise(cluster, durable);
  return cluster;
}

/** Where the cluster of `dataDirectory` is, or will be. Removes what killed starts have left unfinished. */
export function locateCluster(dataDirectory: string): Cluster {
  const wanted = resolve(dataDirectory);
  mkdirSync(dirname(wanted), { recursive: true });
  removeUnfinished(wanted);
  const account = serverAccount(wanted);
  const copies = account.uid === undefined ? dirname(wanted) : ROOTS_OWN_PLACE;
  const binaries = postgresBinaries(account, copies);
  const directory = locatedDirectory(wanted);
  return { directory, isEnclosed: isEnclosed(directory, account), account, binaries };
}

/** Earlier releases kept an enclosed cluster elsewhere and left a link to it. */
export function locatedDirectory(dataDirectory: string): string {
  const wanted = resolve(dataDirectory);
  return existsSync(wanted) ? realpathSync(wanted) : wanted;
}

/** A new folder beside the cluster's place, on its file system. The next start removes it if it is still there. */
export function unfinishedFolder({ directory, account }: Pick<Cluster, 'directory' | 'account'>): string {
  const folder = mkdtempSync(`${directory}${UNFINISHED}`);
  giveTo(account, folder);
  return folder;
}

export function giveTo({ uid, gid }: Account, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** What follows -D. The programs run with the cluster's directory as their current one. */
export function directoryArgument({ directory, isEnclosed }: Cluster): string {
  return isEnclosed ? CURRENT_DIRECTORY : directory;
}

/** Each cluster has a password of its own: on a shared machine whoever may connect as superuser may run programs. */
export function clusterUrl({ directory }: Cluster, port: number, database: string): string {
  const password = readFileSync(join(directory, PASSWORD_FILE), 'utf8').trim();
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** The postmaster that runs in this directory. What a killed one has left behind is cleared away. */
export function runningPostmaster({ directory }: Cluster): { pid: number; port: number } | null {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0) || !isAlive(pid)) return null;
  if (isPostmasterOf(pid, directory)) return port > 0 ? { pid, port } : null;
  // The number went to another process meanwhile, and PostgreSQL would refuse to start because of it.
  rmSync(file, { force: true });
  return null;
}

/**
 * Ends the postmaster and waits until it is gone: open transactions are rolled back, the files are left clean. By
 * signals, as `pg_ctl` would be ended half way by a Ctrl-C. (On Windows they kill it, and the next start recovers.)
 */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  const isRunning = () => isAlive(pid) && isPostmasterOf(pid, cluster.directory);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = Date.now() + STOPPED_WITHIN_MS;
    if (isRunning()) send(pid, signal);
    while (isRunning() && Date.now() < deadline) await sleep(10);
  }
}

/**
 * Ends the postmaster and its children at once. Children end with their postmaster by themselves, but not while they are
 * stopped (SIGSTOP); on Linux those are killed too.
 */
export function killPostmaster(pid: number): void {
  const children = childrenOf(pid);
  for (const each of [pid, ...children]) send(each, 'SIGKILL');
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** What the programs are spawned with, beside their current directory. */
export function environmentOf({ account }: Cluster) {
  return { ...account, env: ENVIRONMENT };
}

function isPostmasterOf(pid: number, directory: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    return false;
  }
}

function isEnclosed(directory: string, account: Account): boolean {
  if (canReach(dirname(directory), account)) return false;
  if (process.platform === 'linux') return true;
  throw new Error(
    `PostgreSQL does not run as root, and its account cannot enter ${dirname(directory)}: set DATA_DIR to a folder that it can enter.`,
  );
}

const UNFINISHED = '.unfinished-';

/** Also what earlier releases left: folders named after a process, and a link whose cluster was never made. */
function removeUnfinished(wanted: string): void {
  const name = basename(wanted);
  const isLeft = new RegExp(`^${name}\\.(unfinished-\\w+|\\d+(\\.password)?)$`);
  for (const entry of readdirSync(dirname(wanted)).filter((entry) => isLeft.test(entry))) {
    // An initdb whose parent was killed may still be writing there.
    rmSync(join(dirname(wanted), entry), { recursive: true, force: true, maxRetries: 20 });
  }
  const isLink = lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink && !existsSync(wanted)) rmSync(wanted);
}

/** Made beside its place and renamed: a start that is killed half way leaves nothing that looks like a cluster. */
async function initialise(cluster: Cluster, durable: boolean): Promise<void> {
  const { account, binaries } = cluster;
  const folder = unfinishedFolder(cluster);
  const directory = join(folder, 'cluster');
  const password = join(folder, 'password');
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 });
  for (const path of [directory, password]) giveTo(account, path);
  const place = directoryArgument({ ...cluster, directory });
  const flags = ['-D', place, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile=../password', '-E', 'UTF8'];
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  try {
    const programs = { ...environmentOf(cluster), cwd: directory };
    await run(binaries.initdb, [...flags, ...locale, ...(durable ? [] : ['--no-sync'])], programs);
    renameSync(password, join(directory, PASSWORD_FILE));
    renameSync(directory, cluster.directory);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
