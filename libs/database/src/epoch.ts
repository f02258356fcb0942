import type { ClientBase, Pool } from 'pg';

const FUNCTION_UNKNOWN = '42883';

/**
 * The epoch of the database as this process knows it. A restore to a point in time or a failover may take back what was
 * committed, and then positions, versions and ids are given a second time: whatever is remembered of an earlier epoch is void.
 * Each new connection is looked at before it is used, and a server that was restored has lost all connections.
 *
 * @example
 * const epoch = new DatabaseEpoch();
 * const pool = createPool({ …, epoch });
 * epoch.onChange(() => cache.clear());
 */
export class DatabaseEpoch {
  #current: string | undefined;
  readonly #listeners: (() => void)[] = [];
  readonly #connections = new Map<ClientBase, string>();

  /** Undefined until the first connection, and with a database that is yet to be migrated. */
  get current(): string | undefined {
    return this.#current;
  }

  /** The listener must not throw. It runs before anything is read over the first connection of the new epoch. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Asks a connection that has just been made. Throws when the database is in recovery: it may yet begin a new epoch. */
  async look(client: ClientBase): Promise<void> {
    const epoch = await epochOf(client);
    if (epoch === undefined) return;
    this.#connections.set(client, epoch);
    client.once('end', () => this.#connections.delete(client));
    if (epoch === this.#current) return;
    const isFirst = this.#current === undefined;
    this.#current = epoch;
    if (isFirst) return;
    for (const listener of this.#listeners) listener();
    this.#leaveOthers(epoch);
  }

  /** Connections of another epoch lead to a server that was replaced: what is written there is lost. */
  #leaveOthers(epoch: string): void {
    for (const [client, seen] of this.#connections) {
      if (seen === epoch) continue;
      this.#connections.delete(client);
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
  }
}

async function epochOf(client: ClientBase): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ epoch: string }>('select current_epoch() as epoch');
    return rows[0]?.epoch;
  } catch (error) {
    if ((error as { code?: string }).code === FUNCTION_UNKNOWN) return undefined;
    throw error;
  }
}

/**
 * Begins a new epoch by hand, for a restore that the server's identity does not show (a dump put back into the same database, a
 * copy of the files, a managed server that hides its timeline). The owner's pool. Connections of Willcall's processes are ended,
 * so that they look again.
 */
export async function renewEpoch(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ epoch: string }>('select renew_epoch() as epoch');
  await pool.query(END_CONNECTIONS);
  return rows[0]?.epoch ?? '';
}

const END_CONNECTIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'willcall%' and pid <> pg_backend_pid()
    and pg_has_role(current_user, usesysid, 'member')`;
