import { createHash } from 'node:crypto';
import type pg from 'pg';
import { DatabaseClient } from '#database/database-client';
import type { ConnectionConfig } from '#database/pool';
import { Pause } from '#runtime/pause';

/** The session that holds the lock, as its work sees it. */
export type Held = Readonly<{
  client: pg.Client;
  /** True once the work should finish what it has in hand and return. */
  stopping(): boolean;
  /** Something went well: the next failure is the first one again. */
  succeeded(): void;
  /** Waits so many milliseconds, or until somebody calls `wake` or `stop`. */
  pause(ms: number): Promise<void>;
}>;

export type ExclusiveSessionOptions = Readonly<{
  /** For a connection of its own to Postgres itself (not a pooler in transaction mode). */
  connection: ConnectionConfig;
  /** One session of a database does the work of this name at a time, whichever process it belongs to. */
  name: string;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

// A standby looks this often, so that a takeover takes at most 2 s.
const STANDBY_MS = 1_000;
const RETRY_AFTER_MS = [100, 200, 500, 1_000, 2_000] as const;
// A server that went away without a word must not hold us for ever; no statement takes near this long.
const CONNECT_WITHIN_MS = 5_000;
const QUERY_TIMEOUT_MS = 30_000;
// And the server must notice the same of us, because until then it keeps the lock for us: a machine that is gone (by default
// that takes it two hours), a process that stands still, a handler that hangs.
const LET_GO = `
  set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3; set tcp_user_timeout = 5000;
  set idle_session_timeout = '10s'; set idle_in_transaction_session_timeout = '60s'`;

/**
 * Work of which there must be one in all processes. It runs on the very connection that holds the lock: when that is lost,
 * the work cannot write any more, so there is never a moment with two. Errors go to `onError`, then it tries again, for ever.
 *
 * @example
 * class Tidying extends ExclusiveSession {
 *   protected override async work({ client, stopping, succeeded, pause }: Held): Promise<void> {
 *     while (!stopping()) {
 *       await client.query('delete from …');
 *       succeeded();
 *       await pause(1_000);
 *     }
 *   }
 * }
 */
export abstract class ExclusiveSession {
  readonly #options: ExclusiveSessionOptions;
  readonly #retry = new Pause();
  // One of its own: hints come by the hundred, also to a process that only stands by.
  readonly #pause = new Pause();
  #stopping = false;
  #running: Promise<void> | undefined;
  #holding = false;
  #failures = 0;
  #turns = 0;

  constructor(options: ExclusiveSessionOptions) {
    this.#options = options;
  }

  /** Whether the lock is ours just now. */
  get holding(): boolean {
    return this.#holding;
  }

  /** How often the work has got somewhere, failed, or looked whether another process still does it. */
  get turns(): number {
    return this.#turns;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes what is in hand and gives the lock back: another process goes on. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#retry.wake();
    this.#pause.wake();
    await this.#running;
  }

  /** A hint that there is something to do: cuts the pause of the work short, or else its next one. */
  wake(): void {
    this.#pause.wake();
  }

  /** Returns only when `stopping()`; whatever it throws ends the session, and with it the lock. */
  protected abstract work(held: Held): Promise<void>;

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#session();
      } catch (error) {
        this.#turns += 1;
        this.#options.onError(error);
        const wait = RETRY_AFTER_MS[Math.min(this.#failures, RETRY_AFTER_MS.length - 1)];
        this.#failures += 1;
        if (!this.#stopping) await this.#retry.wait(wait ?? 0);
      }
    }
  }

  async #session(): Promise<void> {
    const client = new DatabaseClient({
      query_timeout: QUERY_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
      ...this.#options.connection,
      application_name: `willcall ${this.#options.name}`,
    });
    // A connection that is lost between two queries says why here; the next query only says that it is lost.
    let lost: Error | undefined;
    client.on('error', (error) => {
      lost ??= error;
    });
    try {
      await client.connect();
      await this.#options.connection.onConnect?.(client);
      await client.query(LET_GO);
      await this.#lock(client);
    } catch (error) {
      throw lost ?? error;
    } finally {
      this.#holding = false;
      await client.end().catch(() => undefined);
    }
  }

  async #lock(client: pg.Client): Promise<void> {
    const key = lockKey(this.#options.name);
    while (!(await tryLock(client, key))) {
      if (this.#stopping) return;
      this.#turns += 1;
      await this.#retry.wait(STANDBY_MS);
    }
    this.#holding = true;
    await this.work({
      client,
      stopping: () => this.#stopping,
      succeeded: () => {
        this.#turns += 1;
        this.#failures = 0;
      },
      pause: (ms) => this.#pause.wait(ms),
    });
    await client.query('select pg_advisory_unlock($1)', [key]);
  }
}

async function tryLock(client: pg.Client, key: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [key]);
  return rows[0]?.locked === true;
}

/** Advisory locks are numbers, per database; 64 bits of a hash keep two names from meeting. */
function lockKey(name: string): string {
  return createHash('sha256').update(`willcall ${name}`).digest().readBigInt64BE().toString();
}
