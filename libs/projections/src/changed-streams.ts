import type { ClientBase } from 'pg';
import { REBUILD_SCHEMA } from './second-table.js';

// What is read and folded in one go while it is caught up.
const AT_ONCE = 1_000;

/**
 * Which streams were appended to since `begin`, wherever the feed leader is: each event is in the outbox and then in the
 * feed, whose positions only grow. A rebuild needs no snapshot for this, so that nothing that is deleted meanwhile has to
 * be kept for it, however long it takes.
 */
export class ChangedStreams {
  private constructor(private readonly client: ClientBase) {}

  /** To be called before the log is read. Keeps what it knows in the schema of the rebuild. */
  static async begin(client: ClientBase): Promise<ChangedStreams> {
    await client.query(`
      create unlogged table ${SEEN} as select id from outbox;
      alter table ${SEEN} add primary key (id);
      create unlogged table ${READ} as select coalesce(max(position), 0) as position from feed`);
    return new ChangedStreams(client);
  }

  /**
   * The next of them, two thousand at most; empty when there are no more for now. Some may come again. In a transaction that
   * is rolled back it is as if it had not been called.
   */
  async next(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ stream: string }>(NEXT);
    return rows.map(({ stream }) => stream);
  }
}

const SEEN = `${REBUILD_SCHEMA}.seen_in_outbox`;
const READ = `${REBUILD_SCHEMA}.read_of_feed`;

// One statement and so one snapshot: an event on its way from the outbox to the feed is seen in one of the two.
const NEXT = `
  with unseen as (
    select id, stream from outbox where not exists (select from ${SEEN} seen where seen.id = outbox.id)
    order by id limit ${AT_ONCE}),
  marked as (insert into ${SEEN} select id from unseen),
  entered as (
    select feed.position, stream from feed where feed.position > (select position from ${READ})
    order by feed.position limit ${AT_ONCE}),
  moved as (update ${READ} set position = (select max(position) from entered) where exists (select from entered))
  select stream from unseen union select stream from entered`;
