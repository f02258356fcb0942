import type { Pool } from 'pg';
import type { Settings } from '#base/settings';
import { APPLICATION_ROLE } from '#database/application-role';
import { redisHealth } from '#delivery-kit/redis-health';
import { LeastPrivilege, PowerfulLogin } from '#database/least-privilege';
import { OWNER_ROLE } from '#database/owner-role';
import { missingMigrations } from '../database/schema-state.js';
import { fail, type Finding, ok, warn } from './finding.js';

const OLDEST_SERVER = 150_000;
const CLOCK_WARNING_MS = 1_000;
// Beyond this, retries run at wrong times, and HTTPS certificates and webhook signatures (5 min) begin to fail.
const CLOCK_FAILURE_MS = 60_000;

export async function checkDatabase(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const { number = 0, version = '' } = rows[0] ?? {};
  if (number < OLDEST_SERVER) return fail('database', `PostgreSQL ${version}`, 'Use PostgreSQL 15 or newer.');
  const missing = await missingMigrations(pool);
  if (missing === undefined) return fail('database', 'the database is empty', 'Run `willcall migrate`.');
  if (missing.length === 0) return ok('database', `PostgreSQL ${version}, the schema is up to date`);
  return fail('database', `${missing.length} migrations have not run`, 'Run `willcall migrate`.');
}

/** Without a provider, clients of the payment variant are answered 503, and the money of earlier payments stays where it is. */
export async function checkPayment(pool: Pool, settings: Settings): Promise<Finding> {
  const { PAYMENT_PROVIDER, PAYMENT_PROVIDER_A, PAYMENT_PROVIDER_B, DATABASE_URL } = settings;
  const { STRIPE_SECRET_KEY, BRAINTREE_PRIVATE_KEY } = settings;
  const named = new Set<string>(
    [PAYMENT_PROVIDER, PAYMENT_PROVIDER_A, PAYMENT_PROVIDER_B].filter((name) => name !== undefined),
  );
  // With its keys alone, a former provider settles what it has.
  const withKeys = { stripe: STRIPE_SECRET_KEY, braintree: BRAINTREE_PRIVATE_KEY };
  const served = new Set([
    ...named,
    ...Object.entries(withKeys).flatMap(([name, key]) => (key === undefined ? [] : name)),
  ]);
  const left = (await openPayments(pool)).find(({ provider }) => !served.has(provider));
  if (left) {
    const advice = `Name ${left.provider} in PAYMENT_PROVIDER, PAYMENT_PROVIDER_A or PAYMENT_PROVIDER_B until its payments are settled.`;
    return fail('payment', `${left.payments} open payments are at ${left.provider}, which is not configured`, advice);
  }
  if (named.has('sandbox')) {
    if (DATABASE_URL === undefined) return ok('payment', 'the built-in sandbox, which takes no money');
    const advice =
      'Unset PAYMENT_PROVIDER where only wholesale clients buy, or tell these buyers that they pay nothing.';
    return warn('payment', 'the built-in sandbox takes payments, and no money', advice);
  }
  if (named.size > 0) return ok('payment', `payments are taken by ${[...named].join(', ')}`);
  const { rows } = await pool.query<{ client_id: string }>(
    `select client_id from clients where revoked_at is null and variant = 'payment' order by client_id`,
  );
  if (rows.length === 0) return ok('payment', 'no client needs a provider');
  const names = rows.map(({ client_id }) => client_id).join(', ');
  const advice = 'Set PAYMENT_PROVIDER, or revoke these clients: they are answered 503.';
  return fail('payment', `nobody takes the payments of ${names}`, advice);
}

async function openPayments(pool: Pool): Promise<readonly Readonly<{ provider: string; payments: number }>[]> {
  const { rows } = await pool.query<{ provider: string; payments: number }>(
    `select summary #>> '{payment,provider}' as provider, count(*)::int as payments from orders
    where (payment_due_at is not null or due_for = 'payment_outcome') and summary #>> '{payment,provider}' is not null
    group by 1 order by 1`,
  );
  return rows;
}

/** @param now the clock of this machine, in milliseconds since the epoch. */
export async function checkClock(pool: Pool, now: () => number): Promise<Finding> {
  const asked = now();
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  const apart = Math.abs((rows[0]?.now.getTime() ?? 0) - (asked + now()) / 2);
  const detail = `${(apart / 1_000).toFixed(1)} s apart from the database's`;
  const advice = 'Let both machines take their time from NTP.';
  if (apart > CLOCK_FAILURE_MS) return fail('clock', detail, advice);
  return apart > CLOCK_WARNING_MS ? warn('clock', detail, advice) : ok('clock', detail);
}

type Roles = Readonly<{ login: string; member: boolean; may: boolean | null; others: string[] }>;

/** Whether the login of DATABASE_URL has the rights of the application and no others. */
export async function checkRoles(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<Roles>(ROLES, [APPLICATION_ROLE]);
  const { login, member, may, others } = rows[0] ?? { login: '', member: false, may: null, others: [] };
  if (!member) {
    const advice = `Let an administrator run: create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to "${login}";`;
    return fail('roles', `${login} cannot take the role ${APPLICATION_ROLE} on`, advice);
  }
  if (may) {
    const advice = `Run: revoke update, delete, truncate on events, feed from ${APPLICATION_ROLE};`;
    return fail('roles', `${APPLICATION_ROLE} may change the event log`, advice);
  }
  try {
    await new LeastPrivilege().check(pool);
  } catch (error) {
    if (!(error instanceof PowerfulLogin)) throw error;
    return fail('roles', error.problem, error.advice);
  }
  if (others.length === 0) return ok('roles', `${login} serves as ${APPLICATION_ROLE}`);
  return warn(
    'roles',
    `${login} is also a member of ${others.join(', ')}`,
    `Run: revoke ${others.join(', ')} from "${login}";`,
  );
}

const ROLES = `
  select session_user::text as login,
    exists (select from pg_roles where rolname = $1 and pg_has_role(session_user, oid, 'member')) as member,
    (select has_table_privilege(oid, to_regclass('public.events'), 'update') from pg_roles where rolname = $1) as may,
    array(select roleid::regrole::text from pg_auth_members where member = session_user::regrole and roleid::regrole::text <> $1)
      as others`;

/** Whether the login of MIGRATION_DATABASE_URL can do what api and worker may not. @param pool with that login */
export async function checkOwner(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{
    login: string;
    superuser: boolean;
    owns: boolean | null;
    owner: string;
    logs_in: boolean;
  }>(
    `select session_user::text as login, me.rolsuper as superuser, pg_has_role(session_user, tables.oid, 'member') as owns,
       quote_ident(tables.rolname) as owner, tables.rolcanlogin as logs_in
     from pg_roles me left join pg_class on pg_class.oid = to_regclass('public.events') left join pg_roles tables on tables.oid = relowner
     where me.rolname = session_user`,
  );
  const { login = '', superuser = false, owns = null, owner = '', logs_in: logsIn = false } = rows[0] ?? {};
  if (owns === false) {
    return fail(
      'owner',
      `${login} is no owner of the tables, which belong to ${owner}`,
      `Run: grant ${owner} to "${login}";`,
    );
  }
  if (superuser) {
    const advice = `Give MIGRATION_DATABASE_URL a login that is a member of ${OWNER_ROLE} and ${APPLICATION_ROLE}, and no superuser.`;
    return warn('owner', `${login} migrates, and is a superuser`, advice);
  }
  if (logsIn) {
    const advice = `Let an administrator run: create role ${OWNER_ROLE} nologin; grant ${OWNER_ROLE} to "${login}"; Then run \`willcall migrate\`.`;
    return warn('owner', `the tables belong to ${owner}, which can log in`, advice);
  }
  return ok('owner', `${login} migrates and repairs as ${owner}`);
}

export async function checkRedis(url: string | undefined): Promise<Finding> {
  if (url === undefined) return ok('redis', 'none: the job queue is in PostgreSQL');
  return { check: 'redis', ...(await redisHealth(url)) };
}
