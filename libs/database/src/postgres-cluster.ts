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
import { makeDataFolder } from './data-folder.js';
import { canReach, serverAccount, type Account } from './postgres-account.js';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { isAlive, send } from './process-signals.js';

const run = promisify(execFile);

export type Cluster = {
  directory: string;
  /** A parent folder is closed to the account. The programs can then reach the directory only as their working directory. */
  isEnclosed: boolean;
  account: Account;
  binaries: PostgresBinaries;
};

const BINARIES_FOR_ROOT = '/var/lib/willcall';
// For each step: a fast shutdown, an immediate shutdown (the next start recovers), and SIGKILL.
const STOPPED_WITHIN_MS = 20_000;
/** The logins of a cluster, each with a password of its own in a file. Only the superuser may take backups, and only the owner may migrate. */
export const LOGINS = { superuser: 'postgres', owner: 'willcall_migrate', application: 'willcall_service' } as const;
export type ClusterLogin = keyof typeof LOGINS;

const passwordFile = (login: ClusterLogin) => `${login}.password`;
// The server needs none of our environment, and PG* variables would change its behaviour.
const ENVIRONMENT = { LC_ALL: 'C' };
const CURRENT_DIRECTORY = '/proc/self/cwd';

/** Creates a missing cluster completely or not at all. The caller must hold the directory's lock: remains of killed starts are removed. */
export async function openCluster(dataDirectory: string, durable: boolean): Promise<Cluster> {
  const cluster = locateCluster(dataDirectory);
  if (!existsSync(join(cluster.directory, 'PG_VERSION'))) await initialise(cluster, durable);
  createPasswords(cluster);
  return cluster;
}

/** Those of the owner and the application, which clusters and backups of earlier releases lack. */
export function createPasswords(cluster: Cluster): void {
  for (const login of ['owner', 'application'] as const) createPassword(cluster, login);
}

function createPassword({ directory, account }: Cluster, login: ClusterLogin): void {
  const file = join(directory, passwordFile(login));
  if (existsSync(file)) return;
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, newPassword(), { mode: 0o600, flush: true });
  setOwner(account, unfinished);
  renameSync(unfinished, file);
}

const newPassword = () => randomBytes(24).toString('hex');

/** Where the cluster is or will be. Removes the remains of killed starts. */
export function locateCluster(dataDirectory: string): Cluster {
  const wanted = resolve(dataDirectory);
  makeDataFolder(dirname(wanted));
  removeUnfinished(wanted);
  const account = serverAccount(wanted);
  const copies = account.uid === undefined ? dirname(wanted) : BINARIES_FOR_ROOT;
  const binaries = postgresBinaries(account, copies);
  const directory = locatedDirectory(wanted);
  return { directory, isEnclosed: isEnclosed(directory, account), account, binaries };
}

/** Earlier releases left a link if they kept the cluster elsewhere. */
export function locatedDirectory(dataDirectory: string): string {
  const wanted = resolve(dataDirectory);
  return existsSync(wanted) ? realpathSync(wanted) : wanted;
}

export function unfinishedFolder({ directory, account }: Pick<Cluster, 'directory' | 'account'>): string {
  const folder = mkdtempSync(`${directory}${UNFINISHED}`);
  setOwner(account, folder);
  return folder;
}

export function setOwner({ uid, gid }: Account, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

export function directoryArgument({ directory, isEnclosed }: Cluster): string {
  return isEnclosed ? CURRENT_DIRECTORY : directory;
}

/** Each cluster has its own password: a superuser can run programs, and other users may share the machine. */
export function clusterUrl(
  { directory }: Pick<Cluster, 'directory'>,
  port: number,
  database: string,
  login: ClusterLogin = 'superuser',
): string {
  const password = readFileSync(join(directory, passwordFile(login)), 'utf8').trim();
  return `postgres://${LOGINS[login]}:${password}@127.0.0.1:${port}/${database}`;
}

export function runningPostmaster({ directory }: Cluster): { pid: number; port: number } | null {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0) || !isAlive(pid)) return null;
  if (isPostmasterOf(pid, directory)) return port > 0 ? { pid, port } : null;
  // Another process has this pid by now, and PostgreSQL would refuse to start because of it.
  rmSync(file, { force: true });
  return null;
}

/** Open transactions are rolled back. Uses signals, because a Ctrl-C would interrupt `pg_ctl`. On Windows they kill the postmaster. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  const isRunning = () => isAlive(pid) && isPostmasterOf(pid, cluster.directory);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = Date.now() + STOPPED_WITHIN_MS;
    if (isRunning()) send(pid, signal);
    while (isRunning() && Date.now() < deadline) await sleep(10);
  }
}

/** Also kills its children on Linux, because stopped children (SIGSTOP) do not exit with their postmaster. */
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

/** Earlier releases left folders named after a process, and links to clusters that were never created. */
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

/** In a temporary folder that is then renamed, so a killed start leaves nothing that looks like a cluster. */
async function initialise(cluster: Cluster, durable: boolean): Promise<void> {
  await withNewCluster(cluster, durable, (directory) => renameSync(directory, cluster.directory));
}

const CONFIGURATION = ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf'];

/** Gives a cluster the configuration of a new one. */
export async function renewConfiguration(cluster: Cluster): Promise<void> {
  await withNewCluster(cluster, false, (directory) => {
    for (const name of CONFIGURATION) renameSync(join(directory, name), join(cluster.directory, name));
  });
}

async function withNewCluster(cluster: Cluster, durable: boolean, use: (directory: string) => void): Promise<void> {
  const { account, binaries } = cluster;
  const folder = unfinishedFolder(cluster);
  const directory = join(folder, 'cluster');
  const password = join(folder, 'password');
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(password, newPassword(), { mode: 0o600 });
  for (const path of [directory, password]) setOwner(account, path);
  const place = directoryArgument({ ...cluster, directory });
  const flags = ['-D', place, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile=../password', '-E', 'UTF8'];
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  try {
    const programs = { ...environmentOf(cluster), cwd: directory };
    await run(binaries.initdb, [...flags, ...locale, ...(durable ? [] : ['--no-sync'])], programs);
    renameSync(password, join(directory, passwordFile('superuser')));
    use(directory);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
