import pg from 'pg';
import { parseJson } from '#base/json';
import { APPLICATION_ROLE } from './application-role.js';
import { DatabaseClient } from './database-client.js';
import { ClassifyingPool } from './database-errors.js';
import type { DatabaseEpoch } from './epoch.js';
import { parseInstant } from './instants.js';
import type { LeastPrivilege } from './least-privilege.js';
import { onlyReads, type SessionConfig, sessionConfig } from './session.js';

export type ConnectionOptions = {
  databaseUrl: string;
  applicationName: string;
  /** Commits do not wait for the disk. For work that can be redone after a crash. */
  lazyCommit?: boolean;
  /**
   * Forces index scans, and plans a named statement once. A cached plan made while a table was small would keep reading the whole table,
   * including the thousands of dead rows that ping_leases collects per minute. Without the generic plan, PostgreSQL plans statements whose
   * arrays or limits are parameters again each time, which cost as much as running them (docs/decisions/plans-do-not-depend-on-statistics.md).
   */
  byIndex?: boolean;
  /** Otherwise a connection can append to the event log but not change it. New tables belong to the owner of the others. */
  asOwner?: boolean;
  statementTimeoutMs?: number;
  epoch?: DatabaseEpoch;
  /** Refuses a login with more rights than the application's. */
  leastPrivilege?: LeastPrivilege;
  lockTimeoutMs?: number | undefined;
};

/** Pools call `onConnect` themselves. Code that creates a single client must call it. */
export type ConnectionConfig = pg.ClientConfig & Readonly<{ onConnect?: (client: pg.ClientBase) => Promise<void> }>;

export type PoolOptions = ConnectionOptions & {
  max: number;
  /** For the log only: connections break whenever the server restarts, and the pool opens new ones. */
  onError: (error: Error) => void;
  /** Unused connections end after this time; 10 s if undefined. */
  keepIdleMs?: number;
};

// Longer than any request may take, and shorter than clients wait for a stuck server.
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_WITHIN_MS = 10_000;

/** For a single connection with the same rights, timeouts and type parsers as the pools. */
export function connectionConfig(options: ConnectionOptions): ConnectionConfig {
  const session = sessionConfig(options.databaseUrl, options.applicationName, sessionSettings(options));
  const checks = checksOf(options, session);
  return {
    ...session,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    types: { getTypeParser },
    ...(checks.length > 0 && { onConnect: (client) => runAll(checks, client) }),
  };
}

type ConnectionTask = (client: pg.ClientBase) => Promise<unknown>;

function checksOf(
  { epoch, leastPrivilege, asOwner }: ConnectionOptions,
  session: SessionConfig,
): readonly ConnectionTask[] {
  const observe = (client: pg.ClientBase) => (onlyReads(session) ? epoch?.follow(client) : epoch?.observe(client));
  return [
    ...(leastPrivilege ? [(client: pg.ClientBase) => leastPrivilege.check(client)] : []),
    ...(epoch ? [async (client: pg.ClientBase) => observe(client)] : []),
    ...(asOwner ? [(client: pg.ClientBase) => client.query(ACT_AS_OWNER)] : []),
  ];
}

async function runAll(tasks: readonly ConnectionTask[], client: pg.ClientBase): Promise<void> {
  for (const task of tasks) await task(client);
}

// A superuser keeps its own rights, because tests and administrators use them.
const ACT_AS_OWNER = `
  select set_config('role', rolname, false) from pg_class join pg_roles owner on owner.oid = relowner
  where pg_class.oid = to_regclass('public.events') and rolname <> session_user and pg_has_role(session_user, owner.oid, 'member')
    and not (select rolsuper from pg_roles where rolname = session_user)`;

/** bigint columns, and lists of them, arrive as numbers. JSON columns keep the digits of whole numbers. @see parseJson */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new ClassifyingPool({
    ...connectionConfig(options),
    max: options.max,
    ...(options.keepIdleMs !== undefined && { idleTimeoutMillis: options.keepIdleMs }),
    Client: DatabaseClient,
  });
  // pg-pool handles errors of idle connections only. An error of a checked-out connection would end the process.
  pool.on('connect', (client) => client.on('error', options.onError));
  pool.on('error', () => undefined);
  return pool;
}

const BY_INDEX = [
  '-c enable_seqscan=off',
  '-c enable_hashjoin=off',
  '-c enable_mergejoin=off',
  // With it, a nested loop reads a whole index once and keeps it, instead of looking keys up.
  '-c enable_material=off',
  '-c plan_cache_mode=force_generic_plan',
] as const;

function sessionSettings({
  asOwner,
  lazyCommit,
  byIndex,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  lockTimeoutMs,
}: ConnectionOptions): string[] {
  return [
    ...(asOwner ? [] : [`-c role=${APPLICATION_ROLE}`]),
    ...(lazyCommit ? ['-c synchronous_commit=off'] : []),
    ...(byIndex ? BY_INDEX : []),
    `-c statement_timeout=${statementTimeoutMs}`,
    ...(lockTimeoutMs === undefined ? [] : [`-c lock_timeout=${lockTimeoutMs}`]),
  ];
}

const { INT8, JSON: JSON_TEXT, JSONB, TIMESTAMPTZ } = pg.types.builtins;
const INT8_ARRAY: number = 1016;

const getTypeParser = ((oid: number, format?: 'text') => {
  if (oid === TIMESTAMPTZ) return parseInstant;
  if (oid === INT8) return toNumber;
  if (oid === JSON_TEXT || oid === JSONB) return parseJson;
  return oid === INT8_ARRAY ? toNumbers : pg.types.getTypeParser(oid, format);
}) as typeof pg.types.getTypeParser;

const readTexts = pg.types.getTypeParser(INT8_ARRAY) as (text: string) => (string | null)[];

const toNumbers = (text: string) => readTexts(text).map((each) => (each === null ? null : toNumber(each)));

function toNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError('A bigint above 2^53 cannot be read as a number: select it as text.');
}
