import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, QueryResult } from 'pg';
import { withTimeout } from '#base/with-timeout';

/** Catching up with what was just committed takes a replica some milliseconds. */
const CATCHES_UP_WITHIN_MS = 100;
const LOOK_EVERY_MS = 10;
// A replica that does not answer costs a reader no more than this, and at most once a second.
const ANSWERS_WITHIN_MS = 250;
const REST_MS = 1_000;

const STATEMENT_TIMEOUT = '57014';

/**
 * Reads from a replica if it has everything that was committed before the question, and otherwise from the primary. So nobody misses an own
 * change, or what a ping has announced. Only for statements that change nothing.
 */
export class ReplicaPool {
  readonly query: Pool['query'];
  #restsUntil = -Infinity;

  /** @param replica undefined: all is read from the primary */
  constructor(
    private readonly primary: Pick<Pool, 'query'>,
    private readonly replica?: Pool,
  ) {
    this.query = ((...statement: [string]) => this.#read(statement)) as Pool['query'];
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.end();
  }

  async #read(statement: [string]): Promise<QueryResult> {
    const { replica, primary } = this;
    if (!replica || performance.now() < this.#restsUntil) return await primary.query(...statement);
    try {
      const fresh = withTimeout(this.#hasAll(replica), ANSWERS_WITHIN_MS, 'the replica');
      if (await fresh) return await replica.query(...statement);
    } catch (error) {
      // It would take the primary as long.
      if ((error as { code?: unknown }).code === STATEMENT_TIMEOUT) throw error;
    }
    this.#restsUntil = performance.now() + REST_MS;
    return await primary.query(...statement);
  }

  async #hasAll(replica: Pool): Promise<boolean> {
    const { rows } = await this.primary.query<{ lsn: string; epoch: string | null }>(COMMITTED);
    const { lsn, epoch } = rows[0] ?? {};
    const deadline = performance.now() + CATCHES_UP_WITHIN_MS;
    for (;;) {
      const answer = await replica.query<{ has_all: boolean }>({
        name: 'has-all',
        text: HAS_ALL,
        values: [lsn, epoch],
      });
      if (answer.rows[0]?.has_all) return true;
      if (performance.now() > deadline) return false;
      await sleep(LOOK_EVERY_MS);
    }
  }
}

// Also what is not on the disk yet.
const COMMITTED = `
  select pg_current_wal_insert_lsn()::text as lsn, (select epoch from database_epoch) as epoch`;

// A replica that follows a primary of the past has another epoch.
const HAS_ALL = `
  select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
    and (select epoch from database_epoch) is not distinct from $2 as has_all`;
