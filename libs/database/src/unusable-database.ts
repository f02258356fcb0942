import { databaseAddresses } from '#base/database-address';

/** The message says what to do, so no stack trace is needed. */
export class UnusableDatabase extends Error {}

export const READ_ONLY =
  'The database is read-only: it is a standby, or its sessions are set to read only. Point DATABASE_URL at the primary, or promote the standby.';

export const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`;

/**
 * What an administrator can do about a standby, or a missing database, role or right. Never contains the password of `databaseUrl`.
 * @param setting that `databaseUrl` is from
 */
export function adviceFor(
  error: unknown,
  databaseUrl?: string,
  setting: 'DATABASE_URL' | 'MIGRATION_DATABASE_URL' = 'DATABASE_URL',
): string | undefined {
  if (error instanceof UnusableDatabase) return error.message;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== 'string') return undefined;
  if (isReadOnlyError(error)) return READ_ONLY;
  const { role, database } = namesFromUrl(databaseUrl, setting);
  switch (code) {
    case '3D000':
      return `The server has no database ${database}: create it (create database ${database} owner ${role}), or correct ${setting}.`;
    case '28000':
    case '28P01':
      return `The server rejects the login of ${role} (${message}): create the role with its password, or correct ${setting}.`;
    case '42501':
      return setting === 'DATABASE_URL'
        ? `${role} lacks a right (${message}): let an administrator run: grant willcall_app to ${role}; or run \`willcall migrate\`, with the owner's login in MIGRATION_DATABASE_URL.`
        : `${role} lacks a right (${message}): make it the owner of the database (alter database ${database} owner to ${role}), or ask an administrator to grant the right.`;
    default:
      return undefined;
  }
}

export function isReadOnlyError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  // Unlogged tables cannot even be read on a standby, and that error has no code of its own.
  return code === '25006' || (code === '0A000' && message?.includes('during recovery') === true);
}

function namesFromUrl(databaseUrl = '', setting: string): { role: string; database: string } {
  const [address] = databaseAddresses(databaseUrl);
  const database = decodeURIComponent(address?.pathname.slice(1) ?? '');
  const role = decodeURIComponent(address?.username ?? '');
  return {
    role: role ? `"${role}"` : `the role of ${setting}`,
    database: database ? `"${database}"` : `that ${setting} names`,
  };
}
