import type { ClientBase } from 'pg';
import { REBUILD_SCHEMA } from './second-table.js';

// The number of streams that one catch-up step reads and folds.
const BATCH_SIZE = 1_000;

/**
 * Finds the streams with new events since `begin`, regardless of the feed leader: each event is first in the outbox and then in the
 * feed, whose positions only grow. A rebuild therefore needs no long snapshot, so Postgres need not keep deleted rows for it.
 */
export class ChangedStreams {
  private constructor(private readonly client: ClientBase) {}

  /** Call this before reading the log. It stores its state in the rebuild's schema. */
  static async begin(client: ClientBase): Promise<ChangedStreams> {
    await client.query(`
      create unlogged table ${SEEN} as select id from outbox;
      alter table ${SEEN} add primary key (id);
      create unlogged table ${READ} as select coalesce(max(position), 0) as position from feed`);
    return new ChangedStreams(client);
  }

  /**
   * Returns the next streams, at most two thousand; empty when there are none for now. A stream may come again. A rollback undoes
   * the call.
   */
  async next(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ stream: string }>(NEXT);
    return rows.map(({ stream }) => stream);
  }
}

const SEEN = `${REBUILD_SCHEMA}.seen_in_outbox`;
const READ = `${REBUILD_SCHEMA}.read_of_feed`;

// One statement means one snapshot: it sees an event that moves from the outbox to the feed in one of the two.
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
