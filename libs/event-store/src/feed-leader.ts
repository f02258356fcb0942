import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import type { Clock } from '#runtime/clock';
import { AwaitedIds } from './awaited-ids.js';
import { type LockContext, SingletonWorker } from '#runtime/singleton-worker';
import { FEED_BATCH, MOVER_SETTINGS, moveToFeed } from './feed-move.js';
import { OutboxWriters } from './outbox-writers.js';

export type MovedBatch = Readonly<{
  count: number;
  /** For each event, the time from `recorded_at` until it was in the feed, in milliseconds. */
  lagMs: readonly number[];
}>;

export type FeedLeaderOptions = Readonly<{
  connection: ConnectionConfig;
  clock: Clock;
  /** Called after each batch, for metrics and to wake readers of the feed. Its errors go to `onError`. */
  onMoved?: (moved: MovedBatch) => void;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

// Collects rows for this long after a batch, so one commit moves many: at most about 100 commits a second.
const BUSY_WAIT_MS = 5;
// Half of the 50 ms that an event may take to reach the feed. Costs 40 cheap queries a second while idle.
const IDLE_WAIT_MS = 25;
// Rounds between two checks for finished writers: about ten checks a second under load.
const ROUNDS_PER_SETTLING = 16;

/**
 * Moves the outbox into the feed, which gives all events one total order without gaps. Each stream keeps its own order. One process leads
 * and the others stand by. Wake it after an append; otherwise it polls every 25 ms.
 * @example new FeedLeader({ connection, clock, onError: (error) => log.error(error) }).start();
 */
export class FeedLeader extends SingletonWorker<pg.Client> {
  readonly #options: FeedLeaderOptions;

  constructor(options: FeedLeaderOptions) {
    super({ lock: new AdvisoryLock(options.connection, 'feed-leader'), onError: options.onError });
    this.#options = options;
  }

  protected override async work({ client, stopping, succeeded, pause }: LockContext<pg.Client>): Promise<void> {
    await client.query(MOVER_SETTINGS);
    const awaited = new AwaitedIds();
    const writers = new OutboxWriters();
    for (let round = 0; !stopping(); round += 1) {
      const doneUpTo = round % ROUNDS_PER_SETTLING === 0 ? await writers.doneUpTo(client) : undefined;
      const ids = await this.#move(client, awaited);
      awaited.seen(ids);
      succeeded();
      if (ids.length === FEED_BATCH) continue;
      // Not earlier: the batch above was not full, so it moved every row up to that id.
      if (doneUpTo !== undefined) awaited.settled(doneUpTo);
      if (!stopping()) await pause(ids.length > 0 ? BUSY_WAIT_MS : IDLE_WAIT_MS);
    }
  }

  async #move(client: pg.Client, awaited: AwaitedIds): Promise<number[]> {
    const rows = await moveToFeed(client, awaited.ranges);
    if (rows.length > 0) {
      const now = this.#options.clock.now();
      this.#options.onMoved?.({ count: rows.length, lagMs: rows.map((row) => now - row.recorded_at.getTime()) });
    }
    return rows.map((row) => row.id);
  }
}
