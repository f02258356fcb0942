// What the cluster needs of this machine. Debian: patroni, etcd-server, haproxy, redis-server, postgresql.
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { debianPostgres } from '../../tools/debian-postgres.mjs';

const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'redis-server'];

/** The path of a program on the PATH or, as Debian's haproxy, in /usr/sbin. */
export function programPath(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The names of what is not installed. If there are any, suites that need the cluster are skipped. */
export const missingPrograms = [
  ...PROGRAMS.filter((name) => programPath(name) === undefined),
  ...(debianPostgres === undefined ? ['postgresql'] : []),
];

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
