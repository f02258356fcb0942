import pg from 'pg';
import { databaseAddresses } from '#base/database-address';
import { APPLICATION_ROLE, tryStatement } from './application-role.js';
import { scramVerifier } from './scram-verifier.js';

/**
 * Creates the login that an address names, with its password if it has one, and makes it a member of the application's role. Does nothing
 * where the current user may not. The login may then still be missing, or have too many rights: see `rejectPowerfulLogin`.
 */
export async function ensureApplicationLogin(client: pg.Client, databaseUrl: string): Promise<void> {
  const { username = '', password = '' } = databaseAddresses(databaseUrl)[0] ?? {};
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (name === '') return;
  const { rows } = await client.query<{ member: boolean | null }>(
    `select (select pg_has_role(oid, '${APPLICATION_ROLE}', 'member') from pg_roles where rolname = $1) as member`,
    [name],
  );
  const isMember = rows[0]?.member ?? undefined;
  if (isMember) return;
  const login = pg.escapeIdentifier(name);
  // Two starts at once may both create it.
  if (isMember === undefined && /^[!-~]*$/.test(secret)) {
    const withPassword = secret === '' ? '' : `password '${scramVerifier(secret)}'`;
    await tryStatement(client, `create role ${login} login ${withPassword}`);
  }
  await tryStatement(client, `grant ${APPLICATION_ROLE} to ${login}`);
}
