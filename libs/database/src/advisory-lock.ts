import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { LockSession, SessionLock } from '#runtime/singleton-worker';
import { DatabaseClient } from './database-client.js';
import type { ConnectionConfig } from './pool.js';

// A server that went away without a word must not hold us for ever; no statement takes near this long.
const CONNECT_WITHIN_MS = 5_000;
const QUERY_TIMEOUT_MS = 30_000;
// And the server must notice the same of us, because until then it keeps the lock for us: a machine that is gone (by default
// that takes it two hours), a process that stands still, a handler that hangs.
const LET_GO = `
  set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3; set tcp_user_timeout = 5000;
  set idle_session_timeout = '10s'; set idle_in_transaction_session_timeout = '60s'`;

/** An advisory lock of Postgres, each time on a connection of its own. */
export class AdvisoryLock implements SessionLock<pg.Client> {
  readonly #key: string;

  /**
   * @param connection to Postgres itself (not a pooler in transaction mode).
   * @param name of the lock, per database; also what the connection is called in pg_stat_activity.
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
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
      ...this.connection,
      application_name: `willcall ${this.name}`,
    });
    // A connection that is lost between two queries says why here; the next query only says that it is lost.
    let lost: Error | undefined;
    client.on('error', (error) => {
      lost ??= error;
    });
    try {
      await client.connect();
      await this.connection.onConnect?.(client);
      await client.query(LET_GO);
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

/** Advisory locks are numbers, per database; 64 bits of a hash keep two names from meeting. */
function lockKey(name: string): string {
  return createHash('sha256').update(`willcall ${name}`).digest().readBigInt64BE().toString();
}
