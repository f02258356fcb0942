import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { APPLICATION_ROLE } from '#database/application-role';
import { migrations } from '#database/migrations';
import { fail, type Finding, ok, warn } from './finding.js';

const OLDEST_SERVER = 150_000;
const ANSWER_WITHIN_MS = 5_000;
const CLOCK_WARNING_MS = 1_000;
// Beyond this, retries run at wrong times, and HTTPS certificates and webhook signatures (5 min) begin to fail.
const CLOCK_FAILURE_MS = 60_000;

export async function checkDatabase(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ number: number; version: string; tables: string | null }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       to_regclass('migrations')::text as tables`,
  );
  const { number = 0, version = '', tables = null } = rows[0] ?? {};
  if (number < OLDEST_SERVER) return fail('database', `PostgreSQL ${version}`, 'Use PostgreSQL 15 or newer.');
  if (tables === null) return fail('database', 'the database is empty', 'Run `willcall migrate`.');
  const ran = await pool.query<{ name: string }>('select name from migrations');
  const missing = migrations.filter(({ name }) => !ran.rows.some((row) => row.name === name));
  if (missing.length === 0) return ok('database', `PostgreSQL ${version}, the schema is up to date`);
  return fail('database', `${missing.length} migrations have not run`, 'Run `willcall migrate`.');
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

/** Whether the login can assume the application role, and whether that role has too many rights. */
export async function checkRoles(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ login: string; superuser: boolean; member: boolean; may: boolean | null }>(
    `select session_user as login, coalesce((select rolsuper from pg_roles where rolname = session_user), false) as superuser,
       exists (select from pg_roles where rolname = $1 and pg_has_role(session_user, oid, 'member')) as member,
       (select has_table_privilege(oid, to_regclass('events'), 'update') from pg_roles where rolname = $1) as may`,
    [APPLICATION_ROLE],
  );
  const { login, superuser, member, may } = rows[0] ?? { login: '', superuser: false, member: false, may: null };
  if (!member) {
    const advice = `Let an administrator run: create role ${APPLICATION_ROLE} nologin; grant ${APPLICATION_ROLE} to "${login}";`;
    return fail('roles', `${login} cannot take the role ${APPLICATION_ROLE} on`, advice);
  }
  if (may) {
    const advice = `Run: revoke update, delete, truncate on events, feed from ${APPLICATION_ROLE};`;
    return fail('roles', `${APPLICATION_ROLE} may change the event log`, advice);
  }
  return ok('roles', `${login} serves as ${APPLICATION_ROLE}${superuser ? '; it is a superuser' : ''}`);
}

/** The login of the embedded server is always a superuser. On a real server Willcall does not need one. */
export function withoutSuperuser(finding: Finding, isEmbedded: boolean): Finding {
  if (isEmbedded || finding.state !== 'ok' || !finding.detail.endsWith('superuser')) return finding;
  return warn(
    finding.check,
    finding.detail,
    'Give Willcall a login of its own that owns its database and nothing else.',
  );
}

export async function checkRedis(url: string | undefined): Promise<Finding> {
  if (url === undefined) return ok('redis', 'none: the job queue is in PostgreSQL');
  const options = { lazyConnect: true, connectTimeout: ANSWER_WITHIN_MS, maxRetriesPerRequest: 0 };
  const redis = new Redis(url, { ...options, retryStrategy: () => null });
  // The rejection of `connect` only says that the connection is closed.
  let cause: Error | undefined;
  redis.on('error', (error) => (cause ??= error));
  try {
    await redis.connect();
    return redisFinding(await redis.info());
  } catch (error) {
    return fail(
      'redis',
      `does not answer (${(cause ?? (error as Error)).message})`,
      'See REDIS_URL. Purchases go on without it, pings wait.',
    );
  } finally {
    redis.disconnect();
  }
}

/** @param info the answer to the command INFO. */
export function redisFinding(info: string): Finding {
  const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const policy = value('maxmemory_policy');
  const detail = `Redis ${value('redis_version')}, maxmemory-policy ${policy}, ${value('aof_enabled') === '1' ? 'append-only file' : 'no append-only file'}`;
  if (policy !== 'noeviction') return fail('redis', detail, 'Set maxmemory-policy noeviction: Redis may drop jobs.');
  if (value('aof_enabled') !== '1') {
    return warn(
      'redis',
      detail,
      'Set appendonly yes: otherwise a restart empties the queue, which the sweep fills again.',
    );
  }
  return ok('redis', detail);
}
