import { Injectable } from '@nestjs/common';
import type { Client, ClientBase, Pool } from 'pg';
import { APPLICATION_ROLE } from './application-role.js';
import { OWNER_ROLE } from './owner-role.js';
import { singleClient } from './single-client.js';
import { UnusableDatabase } from './unusable-database.js';

type Excess = Readonly<{ login: string; role: string; reason: string; database: string }>;

/** The login is, or can become by SET ROLE, a role with rights that the application must not have. */
export class PowerfulLogin extends UnusableDatabase {
  readonly problem: string;
  readonly advice: string;

  constructor({ login, role, reason, database }: Excess) {
    const problem = `The login ${login} of DATABASE_URL ${role === login ? reason : `can act as ${role}, which ${reason}`}`;
    const advice =
      'Set MIGRATION_DATABASE_URL to this address, and DATABASE_URL to the same with another login and password: `npm start` and ' +
      '`willcall migrate` then create that login. Where they may not, let an administrator run: ' +
      `create role ${APPLICATION_ROLE} nologin; create role ${OWNER_ROLE} nologin; ` +
      `grant ${OWNER_ROLE}, ${APPLICATION_ROLE} to ${login}; grant create on database ${database} to ${OWNER_ROLE}; ` +
      `create role willcall_service login password '…' in role ${APPLICATION_ROLE}; (docs/install-and-upgrade.md#database-logins)`;
    super(
      `${problem}. Api and worker must not be able to change the log of events, so their login may only be a member of ${APPLICATION_ROLE}. ${advice}`,
    );
    this.problem = problem;
    this.advice = advice;
  }
}

/**
 * Looks at the rights of each new connection of a process, also behind a pooler, which may log in as somebody else than the address says.
 * @example check.onExcess((error) => exitWith(error));
 */
@Injectable()
export class LeastPrivilege {
  readonly #listeners: ((error: PowerfulLogin) => void)[] = [];

  onExcess(listener: (error: PowerfulLogin) => void): void {
    this.#listeners.push(listener);
  }

  /** @throws PowerfulLogin after telling the listeners */
  async check(client: ClientBase | Pool): Promise<void> {
    const { rows } = await client.query<Excess>(EXCESS);
    const [excess] = rows;
    if (!excess) return;
    const error = new PowerfulLogin(excess);
    for (const listener of this.#listeners) listener(error);
    throw error;
  }
}

/** Asks with a connection of its own. @throws PowerfulLogin, and the errors of a connection */
export async function rejectPowerfulLogin(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => new LeastPrivilege().check(client));
}

/** Asks with a connection of its own. @throws UnusableDatabase if the login may not act as the application */
export async function rejectStrangeLogin(databaseUrl: string): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ login: string }>(NO_MEMBER, [APPLICATION_ROLE]),
  );
  const [stranger] = rows;
  if (!stranger) return;
  throw new UnusableDatabase(
    `The login ${stranger.login} of DATABASE_URL is no member of ${APPLICATION_ROLE}: let an administrator run: ` +
      `grant ${APPLICATION_ROLE} to ${stranger.login};`,
  );
}

const NO_MEMBER = `
  select quote_ident(session_user) as login from pg_roles where rolname = $1 and not pg_has_role(session_user, oid, 'member')`;

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = singleClient(databaseUrl, 'willcall start');
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

// An owner of the schema or the database may drop the tables, and whoever may create roles can make itself a member of the owner's. The
// predefined roles write any table or the server's files. Catalog names are qualified, because the login may set its search_path.
const EXCESS = `
  with owners as (
    select datdba as role, 'owns the database' as reason from pg_catalog.pg_database where datname = pg_catalog.current_database()
    union all
    select nspowner, 'owns the schema of Willcall''s tables' from pg_catalog.pg_namespace
    where oid = (select relnamespace from pg_catalog.pg_class where oid = pg_catalog.to_regclass('public.events'))
    union all
    select relowner, 'owns tables of Willcall' from pg_catalog.pg_class
    where relnamespace = (select oid from pg_catalog.pg_namespace where nspname = 'public') and relkind in ('r', 'p') and not relispartition
  ),
  reachable as (
    select oid, rolname, rolsuper, rolcreaterole from pg_catalog.pg_roles
    where pg_catalog.pg_has_role(session_user, oid, 'member') or pg_catalog.pg_has_role(current_user, oid, 'member')
  ),
  excess as (
    select rolname, case when rolsuper then 1 when oid in (select role from owners) then 2 else 3 end as step,
      case
        when rolsuper then 'is a superuser'
        when oid in (select role from owners) then (select reason from owners where role = oid limit 1)
        when rolcreaterole then 'may create roles'
        when rolname in ('pg_write_all_data', 'pg_write_server_files', 'pg_read_server_files', 'pg_execute_server_program')
          then 'is a predefined role of an administrator'
      end as reason
    from reachable
  )
  select pg_catalog.quote_ident(session_user) as login, pg_catalog.quote_ident(rolname) as role, reason, pg_catalog.quote_ident(pg_catalog.current_database()) as database
  from excess where reason is not null order by step, rolname <> session_user, rolname limit 1`;
