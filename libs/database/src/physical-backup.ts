import { readdirSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchPostgres } from './embedded-postgres.js';
import { createPasswords, renewConfiguration, setOwner, type Cluster } from './postgres-cluster.js';
import { singleClient } from './single-client.js';

export type ClusterFile = Readonly<{ name: string; content?: string }>;

export type PhysicalBackup = Readonly<{ systemIdentifier: string; serverVersion: string }>;

// The server recreates their content, but not the empty folders.
const EMPTIED = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const LEFT_OUT = [
  'postmaster.pid',
  'postmaster.opts',
  'server.log',
  'backup_label',
  'backup_label.old',
  'recovery.signal',
];
const CONTROL_FILE = 'global/pg_control';
// The log is restored. Links to tablespaces would lead out of the folder, and a cluster of ours has none.
const LEFT_EMPTY = [...EMPTIED.filter((name) => name !== 'pg_wal'), 'pg_tblspc'];

/** Works like pg_basebackup, which the embedded server lacks, on a running cluster. The write-ahead log comes last. The address must name a superuser. */
export async function takePhysicalBackup(
  databaseUrl: string,
  directory: string,
  put: (file: ClusterFile) => Promise<void>,
): Promise<PhysicalBackup> {
  const client = singleClient(databaseUrl, 'willcall backup');
  await client.connect();
  try {
    // The slot keeps the server from removing log that the backup needs. It ends with the connection.
    const slot = `willcall_backup_${process.pid}`;
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    const { rows } = await client.query<PhysicalBackup & { start: string }>(
      `select pg_backup_start('willcall', true)::text as start, system_identifier::text as "systemIdentifier",
         current_setting('server_version') as "serverVersion" from pg_control_system()`,
    );
    const [begun] = rows;
    if (!begun) throw new Error('The backup could not be started.');
    for (const name of filesOf(directory)) await put({ name });
    await put({ name: CONTROL_FILE });
    const stopped = await client.query<{ label: string; last: string }>(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
    );
    const [{ label, last } = { label: '', last: '' }] = stopped.rows;
    await put({ name: 'backup_label', content: label });
    for (const name of logBetween(directory, label, last)) await put({ name });
    return { systemIdentifier: begun.systemIdentifier, serverVersion: begun.serverVersion };
  } finally {
    await client.end();
  }
}

/** Depth first. Folders end with a slash. Leaves out the control file, which must be copied last. */
function filesOf(directory: string, below = ''): string[] {
  return readdirSync(join(directory, below), { withFileTypes: true }).flatMap((entry) => {
    const name = below + entry.name;
    if (LEFT_OUT.includes(name) || name === CONTROL_FILE || /^pgsql_tmp|^pg_internal\.init/.test(entry.name)) return [];
    if (!entry.isDirectory()) return entry.isFile() ? [name] : [];
    return [`${name}/`, ...(EMPTIED.includes(name) ? [] : filesOf(directory, `${name}/`))];
  });
}

/** Whether a file or folder of a backup is data: no configuration, which can name programs, and no link or signal. */
export function isClusterData(name: string): boolean {
  const [top = '', rest] = name.replace(/\/$/, '').split(/\/(.*)/);
  if (rest === undefined)
    return /^(PG_VERSION|backup_label|base|global|pg_[a-z_]+|(superuser|owner|application)\.password)$/.test(top);
  return /^(base|global|pg_[a-z_]+)$/.test(top) && !LEFT_EMPTY.includes(top) && !/(^|\/)pg_internal\.init/.test(rest);
}

/** From the start in the label to `last`, with the history files of earlier timelines. */
function logBetween(directory: string, label: string, last: string): string[] {
  const first = /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)/m.exec(label)?.[1];
  if (first === undefined) throw new Error('The backup label names no first log segment.');
  const names = readdirSync(join(directory, 'pg_wal')).filter((name) => {
    return name.endsWith('.history') || (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last);
  });
  if (!names.includes(first) || !names.includes(last))
    throw new Error('The server has removed log that the backup needs.');
  return names.map((name) => `pg_wal/${name}`);
}

/** Recovers to the end of the backup, with the configuration of a new cluster, and stops. The new timeline tells readers that the newest positions may be lost. */
export async function recoverPhysicalBackup(cluster: Cluster): Promise<void> {
  await renewConfiguration(cluster);
  const signal = join(cluster.directory, 'recovery.signal');
  await writeFile(signal, '', { mode: 0o600 });
  setOwner(cluster.account, signal);
  createPasswords(cluster);
  // There is no archive. The command fails, so the server reads the log from pg_wal.
  const serverOptions = { restore_command: 'exit 1', hot_standby: 'off' };
  const server = await launchPostgres(cluster, { durable: true, serverOptions });
  await server.stop();
  for (const name of ['backup_label.old', 'server.log']) await rm(join(cluster.directory, name), { force: true });
  if (statSync(signal, { throwIfNoEntry: false })) throw new Error('The server did not recover the whole backup.');
}
