import type pg from 'pg';
import { tryStatement } from './application-role.js';

/** The logins of analysts are its members. It reads the views of `ANALYTICS_SCHEMA` and nothing else. */
const ANALYST_ROLE = 'willcall_analyst';

export const ANALYTICS_SCHEMA = 'analytics';

/** Nothing that Willcall does needs this role. So where the current user may not create it, it is missing until an administrator does. */
export async function createAnalystRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [ANALYST_ROLE]);
  if (rowCount === 0) await tryStatement(client, `create role ${ANALYST_ROLE} nologin`);
}

/** Gives the role its rights on all views, also one that an administrator created since. */
export async function allowAnalysts(client: pg.Client): Promise<void> {
  await tryStatement(
    client,
    `grant usage on schema ${ANALYTICS_SCHEMA} to ${ANALYST_ROLE};
     grant select on all tables in schema ${ANALYTICS_SCHEMA} to ${ANALYST_ROLE}`,
  );
}
