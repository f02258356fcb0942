import type { ClientBase } from 'pg';

/**
 * Finds the outbox id up to which all writers have finished. An insert locks the table (ROW EXCLUSIVE) from before it gets its id until its
 * rows are visible. So once the holders of that lock are gone, each id up to the last one is visible or never will be. Transaction ids
 * cannot replace this: a row gets its id before its transaction gets one.
 */
export class OutboxWriters {
  #awaited: { upTo: number; writers: ReadonlySet<string> } | undefined;

  /** The next statement of this session sees all rows up to this id. Undefined while writers of that time are still running. */
  async doneUpTo(client: ClientBase): Promise<number | undefined> {
    // The order matters: a writer that starts between the two queries gets a higher id.
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

// The view, because the application role may use the sequence but not read it.
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
