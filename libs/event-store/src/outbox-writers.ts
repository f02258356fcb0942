import type { ClientBase } from 'pg';

/**
 * Finds out up to which outbox id every writer is done, whatever other transactions are open in the database.
 *
 * An insert takes a ROW EXCLUSIVE lock on the table before it draws its id, and its transaction keeps the lock until it
 * has ended (after its rows came into sight). So: read the last id drawn, then list the holders of that lock. Once all of
 * those are gone, every id up to it has come or never will. Transaction ids would not do: an id is drawn before its
 * transaction has one, and the oldest of them belongs to whoever keeps a transaction open, writer or not.
 */
export class OutboxWriters {
  #awaited: { upTo: number; writers: ReadonlySet<string> } | undefined;

  /**
   * An id up to which the next statement of this session sees everything that will ever come; undefined when writers of
   * that time are still at work. To be called again now and then: each answer is about a later id.
   */
  async doneUpTo(client: ClientBase): Promise<number | undefined> {
    // In this order: a writer that starts between the two queries draws a higher id.
    const awaited = this.#awaited ?? { upTo: await lastId(client), writers: undefined };
    const atWork = await writersAtWork(client);
    const writers = new Set(awaited.writers ? atWork.filter((writer) => awaited.writers?.has(writer)) : atWork);
    if (writers.size > 0) {
      this.#awaited = { upTo: awaited.upTo, writers };
      return undefined;
    }
    this.#awaited = undefined;
    return awaited.upTo;
  }
}

async function lastId(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ last_id: string | null }>(LAST_ID);
  return Number(rows[0]?.last_id ?? 0);
}

async function writersAtWork(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ virtualtransaction: string }>(WRITERS_AT_WORK);
  return rows.map((row) => row.virtualtransaction);
}

// The view rather than the sequence itself: the application role may use the sequence but not read it.
const LAST_ID = {
  name: 'outbox-last-id',
  text: `select last_value as last_id from pg_sequences
    where format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence('outbox', 'id')`,
};

const WRITERS_AT_WORK = {
  name: 'outbox-writers',
  text: `select virtualtransaction from pg_locks
    where locktype = 'relation' and relation = 'outbox'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`,
};
