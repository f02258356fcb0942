import type { ClientBase, Pool } from 'pg';
import { dropConnection } from './drop-connection.js';

// undefined_function, undefined_table
const NOT_MIGRATED = ['42883', '42P01'];

/**
 * A point-in-time restore or a failover may lose committed data. Positions, versions and ids are then assigned again, so everything cached
 * from an earlier epoch is invalid. Checking each new connection is enough, because a restore closes all connections.
 * @example epoch.onChange(() => cache.clear());
 */
export class DatabaseEpoch {
  #current: string | undefined;
  readonly #listeners: (() => void)[] = [];
  readonly #connections = new Map<ClientBase, string>();

  /** Undefined until the first connection, and while the database is not migrated. */
  get current(): string | undefined {
    return this.#current;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Throws during recovery, because a new epoch may follow. */
  async observe(client: ClientBase): Promise<void> {
    this.#note(client, await epochOf(client, 'select current_epoch() as epoch'));
  }

  /**
   * For connections that only read: takes the epoch that the primary wrote down. A standby keeps its connections while it goes on with another
   * primary, so call it again about once a second.
   */
  async follow(client: ClientBase): Promise<void> {
    this.#note(client, await epochOf(client, 'select epoch from database_epoch'));
  }

  #note(client: ClientBase, epoch: string | undefined): void {
    if (epoch === undefined) return;
    if (!this.#connections.has(client)) client.once('end', () => this.#connections.delete(client));
    this.#connections.set(client, epoch);
    if (epoch === this.#current) return;
    const isFirst = this.#current === undefined;
    this.#current = epoch;
    if (isFirst) return;
    for (const listener of this.#listeners) listener();
    this.#dropOldConnections(epoch);
  }

  /** Connections of another epoch lead to a server that was replaced. Writes to it would be lost. */
  #dropOldConnections(epoch: string): void {
    for (const [client, seen] of this.#connections) {
      if (seen === epoch) continue;
      this.#connections.delete(client);
      dropConnection(client);
    }
  }
}

async function epochOf(client: ClientBase, question: string): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ epoch: string }>(question);
    return rows[0]?.epoch;
  } catch (error) {
    if (NOT_MIGRATED.includes(String((error as { code?: unknown }).code))) return undefined;
    throw error;
  }
}

/**
 * For a restore that does not change the server's identity: a dump loaded into the same database, a copy of the files, or a managed server
 * that hides its timeline. Ends the connections of Willcall's processes, so they notice.
 * @param owner as the owner
 * @param application with the login of the processes, which may end its own connections
 */
export async function renewEpoch(owner: Pool, application: Pool): Promise<string> {
  const { rows } = await owner.query<{ epoch: string }>('select renew_epoch() as epoch');
  await application.query(END_CONNECTIONS);
  return rows[0]?.epoch ?? '';
}

// As the login itself, because the application's role may not end its connections.
const END_CONNECTIONS = `
  begin;
  set local role none;
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'willcall%' and pid <> pg_backend_pid()
    and pg_has_role(session_user, usesysid, 'member');
  commit`;
