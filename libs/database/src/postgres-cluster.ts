import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { canReach, serverAccount, type Account } from './postgres-account.js';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries.js';

const run = promisify(execFile);

/** A cluster on disk: where it is, who runs it, and by which programs. */
export type Cluster = { directory: string; account: Account; binaries: PostgresBinaries };

// Where root keeps what the server's account could not enter below DATA_DIR.
const ROOTS_OWN_PLACE = '/var/lib/willcall';
// For each of: a fast shutdown, an immediate one (the next start recovers), and the kernel's.
const STOPPED_WITHIN_MS = 20_000;
const PASSWORD_FILE = 'superuser.password';
// A running server needs nothing of ours in its environment, and PG* variables would change what it does.
const ENVIRONMENT = { LC_ALL: 'C' };

/** Finds the cluster in `dataDirectory`, or makes an empty one there; whole or not at all. */
export async function openCluster(dataDirectory: string, durable: boolean): Promise<Cluster> {
  const wanted = resolve(dataDirectory);
  const account = serverAccount(wanted);
  mkdirSync(dirname(wanted), { recursive: true });
  const copies = account.uid === undefined ? dirname(wanted) : ROOTS_OWN_PLACE;
  const binaries = postgresBinaries(account, copies);
  const cluster = { directory: reachableDirectory(wanted, account), account, binaries };
  if (!existsSync(join(cluster.directory, 'PG_VERSION'))) await initialise(cluster, durable);
  return cluster;
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

/** How the programs are spawned; a current directory which they may not enter would end them. */
export function surroundings({ account, directory }: Cluster) {
  return { ...account, cwd: dirname(directory), env: ENVIRONMENT };
}

function isAlive(pid: number): boolean {
  return send(pid, 0);
}

/** False when there is no such process (any more). */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    // Another user's process is alive as well; to end it is not for us.
    if (signal === 0) return true;
    throw error;
  }
}

function isPostmasterOf(pid: number, directory: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    return false;
  }
}

function reachableDirectory(wanted: string, account: Account): string {
  const isMoved = lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isMoved) return realpathSync(wanted);
  if (existsSync(wanted) || canReach(dirname(wanted), account)) return wanted;
  mkdirSync(ROOTS_OWN_PLACE, { recursive: true });
  chmodSync(ROOTS_OWN_PLACE, 0o755);
  const elsewhere = mkdtempSync(join(ROOTS_OWN_PLACE, 'data-'));
  chmodSync(elsewhere, 0o755);
  symlinkSync(join(elsewhere, 'postgres'), wanted);
  return join(elsewhere, 'postgres');
}

/** Made beside its place and renamed: a start that is killed half way leaves nothing that looks like a cluster. */
async function initialise(cluster: Cluster, durable: boolean): Promise<void> {
  const { account, binaries, directory } = cluster;
  const unfinished = `${directory}.${process.pid}`;
  mkdirSync(unfinished, { mode: 0o700, recursive: true });
  const password = `${unfinished}.password`;
  writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    for (const path of [unfinished, password]) chownSync(path, account.uid, account.gid);
  }
  const flags = ['-D', unfinished, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${password}`, '-E', 'UTF8'];
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  try {
    await run(binaries.initdb, [...flags, ...locale, ...(durable ? [] : ['--no-sync'])], surroundings(cluster));
    renameSync(password, join(unfinished, PASSWORD_FILE));
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(password, { force: true });
    const madeByAnother = existsSync(join(directory, 'PG_VERSION'));
    if (!madeByAnother) throw error;
  }
}
