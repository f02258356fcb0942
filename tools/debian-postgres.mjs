// Which PostgreSQL of Debian is installed: the oldest that Willcall supports, because the embedded server is the newest.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAMS = '/usr/lib/postgresql';
const OLDEST = 15;

/** The folder of its programs. If undefined, suites that need it are skipped. */
export const debianPostgres = (existsSync(PROGRAMS) ? readdirSync(PROGRAMS) : [])
  .map(Number)
  .filter((version) => version >= OLDEST)
  .toSorted((one, other) => one - other)
  .map((version) => join(PROGRAMS, `${version}`, 'bin'))
  .find((folder) => existsSync(join(folder, 'postgres')));
