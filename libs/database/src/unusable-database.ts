/** A database that Willcall can reach and not use as it is. The message says what to do, and nothing else need be printed. */
export class UnusableDatabase extends Error {}

export const READ_ONLY =
  'The database is read-only: it is a standby, or its sessions are set to read only. Point DATABASE_URL at the primary, or promote the standby.';

/** Of one row: whether this session can write anything. */
export const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`;

/**
 * What to do about a fault of PostgreSQL that whoever runs the server can mend: a standby, a missing database, role or right.
 * Undefined for every other fault. `databaseUrl` gives the names; its password is never part of the sentence.
 */
export function adviceFor(fault: unknown, databaseUrl?: string): string | undefined {
  if (fault instanceof UnusableDatabase) return fault.message;
  const { code, message } = (fault ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== 'string') return undefined;
  if (isReadOnlyError(fault)) return READ_ONLY;
  const { role, database } = namesIn(databaseUrl);
  switch (code) {
    case '3D000':
      return `The server has no database ${database}: create it (create database ${database} owner ${role}), or correct DATABASE_URL.`;
    case '28000':
    case '28P01':
      return `The server does not let ${role} in (${message}): create the role with its password, or correct DATABASE_URL.`;
    case '42501':
      return `${role} lacks a right (${message}): make it the owner of the database (alter database ${database} owner to ${role}), or let an administrator grant the right.`;
    default:
      return undefined;
  }
}

/** Whether the database refused because it cannot write. */
export function isReadOnlyError(fault: unknown): boolean {
  const { code, message } = (fault ?? {}) as { code?: unknown; message?: string };
  // Tables that are not replicated cannot even be read on a standby; their error has no code of its own.
  return code === '25006' || (code === '0A000' && message?.includes('during recovery') === true);
}

function namesIn(databaseUrl = ''): { role: string; database: string } {
  const address = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined;
  const database = decodeURIComponent(address?.pathname.slice(1) ?? '');
  const role = decodeURIComponent(address?.username ?? '');
  return {
    role: role ? `"${role}"` : 'the role of DATABASE_URL',
    database: database ? `"${database}"` : 'that DATABASE_URL names',
  };
}
