import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { LockSession, SessionLock } from '#base/singleton-worker';
import { DatabaseClient } from './database-client.js';
import type { ConnectionConfig } from './pool.js';

// A server that vanished must not block us forever. No statement takes nearly this long.
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 30_000;
// The server keeps our lock until it notices that we are gone, which takes two hours with its default keep-alive. The two timeouts also
// free the lock of a stopped process and of a handler that hangs.
export const LOCK_SESSION_TIMEOUTS = `
  set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3; set tcp_user_timeout = 5000;
  set idle_session_timeout = '10s'; set idle_in_transaction_session_timeout = '60s'`;

export class AdvisoryLock implements SessionLock<pg.Client> {
  readonly #key: string;

  /**
   * @param connection must lead to PostgreSQL itself, not to a pooler in transaction mode
   * @param name identifies the lock within the database, and the connection in pg_stat_activity
   */
  constructor(
    private readonly connection: ConnectionConfig,
    private readonly name: string,
  ) {
    this.#key = lockKey(name);
  }

  async session(use: (session: LockSession<pg.Client>) => Promise<void>): Promise<void> {
    const client = new DatabaseClient({
      query_timeout: QUERY_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      ...this.connection,
      application_name: `willcall ${this.name}`,
    });
    // Only this event says why an idle connection was lost. The next query would only say that it is closed.
    let lost: Error | undefined;
    client.on('error', (error) => {
      lost ??= error;
    });
    try {
      await client.connect();
      await this.connection.onConnect?.(client);
      await client.query(LOCK_SESSION_TIMEOUTS);
      await use({ client, tryLock: () => this.#tryLock(client), unlock: () => this.#unlock(client) });
    } catch (error) {
      throw lost ?? error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #tryLock(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [this.#key]);
    return rows[0]?.locked === true;
  }

  async #unlock(client: pg.Client): Promise<void> {
    await client.query('select pg_advisory_unlock($1)', [this.#key]);
  }
}

/** The key of the advisory lock with this name. */
export function lockKey(name: string): string {
  return createHash('sha256').update(`willcall ${name}`).digest().readBigInt64BE().toString();
}

/** SQL that is true while any session of this database holds the lock. */
export function isLockHeld(name: string): string {
  return `exists (select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = ${lockKey(name)})`;
}
