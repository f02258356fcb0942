import { createAnalystRole } from './analyst-role.js';
import { APPLICATION_ROLE, ensureApplicationRole } from './application-role.js';
import { ensureOwnerRole, ensureQueueSchema, OWNER_ROLE } from './owner-role.js';
import { type Cluster, clusterUrl, LOGINS } from './postgres-cluster.js';
import { scramVerifier } from './scram-verifier.js';
import { singleClient } from './single-client.js';
import { IS_READ_ONLY } from './unusable-database.js';

/**
 * Creates the roles and logins of an embedded cluster. The tables of a release in which the superuser owned them go over to the owner's role.
 * Changes nothing on a standby. The caller must hold the directory's lock.
 */
export async function ensureEmbeddedLogins(cluster: Cluster, port: number, database: string): Promise<void> {
  const client = singleClient(clusterUrl(cluster, port, database), 'willcall logins');
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ read_only: boolean }>(IS_READ_ONLY);
    if (rows[0]?.read_only) return;
    await ensureApplicationRole(client);
    await ensureOwnerRole(client);
    await ensureQueueSchema(client);
    await createAnalystRole(client);
    await client.query(`begin;
      ${loginStatements(cluster, 'owner', `${OWNER_ROLE}, ${APPLICATION_ROLE}`)};
      ${loginStatements(cluster, 'application', APPLICATION_ROLE)};
      commit`);
  } finally {
    await client.end();
  }
}

/** Sets the password each time, because a restored cluster may have another one than its file. */
function loginStatements(cluster: Cluster, login: 'owner' | 'application', roles: string): string {
  const name = LOGINS[login];
  const { password } = new URL(clusterUrl(cluster, 0, '', login));
  return `
    do $$ begin
      if not exists (select from pg_roles where rolname = '${name}') then create role ${name} login; end if;
    end $$;
    alter role ${name} with login nosuperuser nocreaterole nocreatedb noreplication password '${scramVerifier(password)}';
    grant ${roles} to ${name}`;
}
