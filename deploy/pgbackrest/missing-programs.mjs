// What the drill needs of this machine. Debian: pgbackrest, postgresql.
import { debianPostgres } from '../../tools/debian-postgres.mjs';
import { programPath } from '../patroni/missing-programs.mjs';

/** The names of what is not installed. If there are any, the suite is skipped. */
export const missingPrograms = [
  ...(programPath('pgbackrest') === undefined ? ['pgbackrest'] : []),
  ...(debianPostgres === undefined ? ['postgresql'] : []),
];
