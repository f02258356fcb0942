import type { ClientBase } from 'pg';
import { REBUILD_SCHEMA } from '../second-table.js';

// Streams per catch-up step.
const BATCH_SIZE = 1_000;

/**
 * Finds streams with new events since `begin`, whoever leads the feed: each event is first in the outbox and then in the feed. A rebuild
 * thus needs no long snapshot, and PostgreSQL need not keep deleted rows for it.
 */
export class ChangedStreams {
  private constructor(private readonly client: ClientBase) {}

  /** Call this before reading the log. */
  static async begin(client: ClientBase): Promise<ChangedStreams> {
    await client.query(`
      create unlogged table ${SEEN} as select id from outbox;
      alter table ${SEEN} add primary key (id);
      create unlogged table ${READ} as select coalesce(max(position), 0) as position from feed`);
    return new ChangedStreams(client);
  }

  /** At most two thousand; empty if there are none for now. A stream may come again. A rollback undoes the call. */
  async next(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ stream: string }>(NEXT);
    return rows.map(({ stream }) => stream);
  }
}

const SEEN = `${REBUILD_SCHEMA}.seen_in_outbox`;
const READ = `${REBUILD_SCHEMA}.read_of_feed`;

// One snapshot sees an event that moves from the outbox to the feed in one of the two.
const NEXT = `
  with unseen as (
    select id, stream from outbox where not exists (select from ${SEEN} seen where seen.id = outbox.id)
    order by id limit ${BATCH_SIZE}),
  marked as (insert into ${SEEN} select id from unseen),
  entered as (
    select feed.position, stream from feed where feed.position > (select position from ${READ})
    order by feed.position limit ${BATCH_SIZE}),
  moved as (update ${READ} set position = (select max(position) from entered) where exists (select from entered))
  select stream from unseen union select stream from entered`;
