import pg from 'pg';
import { ANALYTICS_SCHEMA } from './analyst-role.js';
import { APPLICATION_ROLE, tryStatement } from './application-role.js';
import { retryWhileLocked } from './lock-retry.js';
import { UnusableDatabase } from './unusable-database.js';

/** Owns all tables and functions. Nobody can log in as it; the login of MIGRATION_DATABASE_URL is a member. */
export const OWNER_ROLE = 'willcall_owner';

const QUEUE_SCHEMA = 'bullmq';
const REBUILD_SCHEMA = 'willcall_rebuild';

const NOT_ALLOWED = '42501';

/**
 * Creates the role, and gives it what Willcall has stored so far, also on a live database. Does nothing on a server where the login may not
 * create it: there the login itself owns the tables.
 * @returns whether the current user can act as the role
 * @throws UnusableDatabase if the tables belong to somebody else
 */
export async function ensureOwnerRole(client: pg.Client): Promise<boolean> {
  if (!(await canAct(client))) {
    await tryStatement(client, `create role ${OWNER_ROLE} nologin`);
    await tryStatement(client, `grant ${OWNER_ROLE} to current_user`);
    if (!(await canAct(client))) return false;
  }
  await allowCreating(client);
  if (!(await mayCreate(client))) return false;
  await handOver(client, ['public', REBUILD_SCHEMA, ANALYTICS_SCHEMA], OWNER_ROLE);
  return true;
}

/**
 * Creates BullMQ's schema, which belongs to the application: BullMQ creates objects in it while it runs. So the owner's processes must run
 * nothing in it, because an attacker could have put functions of the same names there.
 */
export async function ensureQueueSchema(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [QUEUE_SCHEMA]);
  if (rowCount === 0) await client.query(`create schema ${QUEUE_SCHEMA} authorization ${APPLICATION_ROLE}`);
  else await handOver(client, [QUEUE_SCHEMA], APPLICATION_ROLE);
}

async function canAct(client: pg.Client): Promise<boolean> {
  const can = await tryStatement(client, `set role ${OWNER_ROLE}`);
  if (can) await client.query('reset role');
  return can;
}

/** In `public`, and schemas of its own for the job queue and for rebuilds. */
async function allowCreating(client: pg.Client): Promise<void> {
  if (await mayCreate(client)) return;
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  await tryStatement(client, `grant create on database ${rows[0]?.name} to ${OWNER_ROLE}`);
  await tryStatement(client, `grant usage, create on schema public to ${OWNER_ROLE}`);
  await tryStatement(client, `revoke create on schema public from public`);
}

async function mayCreate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_database_privilege($1, current_database(), 'create') and has_schema_privilege($1, 'public', 'create') as may`,
    [OWNER_ROLE],
  );
  return rows[0]?.may === true;
}

/** One object at a time, because each needs a short exclusive lock. `events` comes last: its owner tells whose objects are ours. */
async function handOver(client: pg.Client, schemas: readonly string[], role: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(FOREIGN_OBJECTS, [role, schemas]);
  try {
    for (const { statement } of rows) {
      await retryWhileLocked((lockTimeoutMs) => client.query(`set lock_timeout = ${lockTimeoutMs}; ${statement}`));
    }
  } catch (error) {
    if ((error as { code?: string }).code !== NOT_ALLOWED) throw error;
    throw new UnusableDatabase(await handOverAdvice(client));
  } finally {
    await client.query('reset lock_timeout');
  }
}

async function handOverAdvice(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ login: string; owner: string }>(
    `select quote_ident(current_user) as login, quote_ident(pg_get_userbyid(relowner)) as owner
     from pg_class where oid = to_regclass('public.events')`,
  );
  const { login = 'The login', owner = 'another role' } = rows[0] ?? {};
  return (
    `${login} of MIGRATION_DATABASE_URL cannot give the tables to ${OWNER_ROLE}, because they belong to ${owner}: run \`willcall migrate\` ` +
    `once with MIGRATION_DATABASE_URL naming ${owner} or a superuser.`
  );
}

// Indexes, and sequences of columns, follow their tables. Objects of extensions are not ours.
const FOREIGN_OBJECTS = `
  with owner as (select oid from pg_roles where rolname = $1),
  ours as (
    select oid, case nspname when 'public' then (select relowner from pg_class where oid = to_regclass('public.events')) end as owner
    from pg_namespace where nspname = any($2)
  ),
  objects as (
    select 1 as step, 'schema ' || quote_ident(nspname) as name, nspowner as owner, oid, oid as namespace
    from pg_namespace where nspname <> 'public'
    union all
    select case when c.oid = to_regclass('public.events') then 3 else 2 end,
      case relkind when 'S' then 'sequence ' when 'v' then 'view ' when 'm' then 'materialized view ' else 'table ' end || c.oid::regclass,
      relowner, c.oid, relnamespace
    from pg_class c
    where relkind in ('r', 'p', 'v', 'm') or relkind = 'S' and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i'))
    union all
    select 2, case prokind when 'p' then 'procedure ' when 'a' then 'aggregate ' else 'function ' end || oid::regprocedure,
      proowner, oid, pronamespace from pg_proc
    union all
    select 2, 'type ' || format_type(t.oid, null), typowner, t.oid, typnamespace
    from pg_type t left join pg_class c on c.oid = typrelid
    where typtype in ('e', 'd', 'r') or typtype = 'c' and c.relkind = 'c'
  )
  select format('alter %s owner to %I', name, $1) as statement
  from objects join ours on ours.oid = namespace
  where objects.owner <> (select oid from owner) and objects.owner = coalesce(ours.owner, objects.owner)
    and (ours.owner is not null or namespace <> 'public'::regnamespace)
    and not exists (select from pg_depend where objid = objects.oid and deptype = 'e')
  order by step, name`;
