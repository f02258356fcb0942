import pg from 'pg';
import { APPLICATION_ROLE } from './application-role.js';
import { DatabaseClient } from './database-client.js';
import { ClassifyingPool } from './database-faults.js';
import type { DatabaseEpoch } from './epoch.js';

export type ConnectionOptions = {
  databaseUrl: string;
  /** Seen in pg_stat_activity. */
  applicationName: string;
  /** For what can be done again after a crash: a commit does not wait for the disk. */
  lazyCommit?: boolean;
  /**
   * For statements that look up each of a few rows by its key. Their plans are kept, and one made while a table is small
   * reads all of it for as long as it is kept: of table ping_leases also the thousands of dead rows that a minute leaves.
   */
  byIndex?: boolean;
  /** Keeps the rights of the owner; without it a connection can add to the event log but not change it. */
  asOwner?: boolean;
  /** 0 is without end, for rebuilds. */
  statementTimeoutMs?: number;
  /** Looks at each new connection before it is used. */
  epoch?: DatabaseEpoch;
  /** How long a statement waits for a lock; left out, as long as the statement may take. */
  lockTimeoutMs?: number | undefined;
};

/** How to connect. pg's pools call `onConnect` by themselves; whoever makes a client of its own calls it. */
export type ConnectionConfig = pg.ClientConfig & Readonly<{ onConnect?: (client: pg.ClientBase) => Promise<void> }>;

export type PoolOptions = ConnectionOptions & {
  /** Most connections open at once. */
  max: number;
  /** Connections break whenever the server restarts; the pool opens others, so this is for the log only. */
  onError: (error: Error) => void;
};

// Longer than anything that serves a request may take, shorter than a client's patience with a stuck server.
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_WITHIN_MS = 10_000;

/** How a single connection is made: with the rights, the time-outs and the types that the pools have. */
export function connectionConfig(options: ConnectionOptions): ConnectionConfig {
  const { epoch } = options;
  const { connectionString, ownOptions } = splitOptions(options.databaseUrl);
  return {
    connectionString,
    options: [ownOptions, ...sessionOptions(options)].filter(Boolean).join(' '),
    application_name: options.applicationName,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    types: { getTypeParser },
    ...(epoch && { onConnect: (client) => epoch.look(client) }),
  };
}

/** The connections of one process for one purpose. bigint columns arrive as numbers. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new ClassifyingPool({ ...connectionConfig(options), max: options.max, Client: DatabaseClient });
  // pg-pool listens on idle connections only; one that breaks while it is checked out would end the process.
  pool.on('connect', (client) => client.on('error', options.onError));
  pool.on('error', () => undefined);
  return pool;
}

function sessionOptions({
  asOwner,
  lazyCommit,
  byIndex,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  lockTimeoutMs,
}: ConnectionOptions): string[] {
  return [
    ...(asOwner ? [] : [`-c role=${APPLICATION_ROLE}`]),
    ...(lazyCommit ? ['-c synchronous_commit=off'] : []),
    ...(byIndex ? ['-c enable_seqscan=off', '-c enable_hashjoin=off', '-c enable_mergejoin=off'] : []),
    `-c statement_timeout=${statementTimeoutMs}`,
    ...(lockTimeoutMs === undefined ? [] : [`-c lock_timeout=${lockTimeoutMs}`]),
  ];
}

/** Options in the address would replace ours: pg lets the address win over its settings. */
function splitOptions(databaseUrl: string): { connectionString: string; ownOptions: string } {
  const address = new URL(databaseUrl);
  const ownOptions = address.searchParams.get('options') ?? '';
  address.searchParams.delete('options');
  return { connectionString: address.toString(), ownOptions };
}

const getTypeParser = ((oid: number, format?: 'text') =>
  oid === pg.types.builtins.INT8 ? toNumber : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

function toNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError('A bigint above 2^53 cannot be read as a number: select it as text.');
}
