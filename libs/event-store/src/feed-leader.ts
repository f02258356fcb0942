import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import type { Clock } from '#runtime/clock';
import { AwaitedIds } from './awaited-ids.js';
import { type Held, SingletonWorker } from '#runtime/singleton-worker';
import { FEED_BATCH, MOVER_SETTINGS, moveToFeed } from './feed-move.js';
import { OutboxWriters } from './outbox-writers.js';

/** What one batch brought into the feed. */
export type Moved = Readonly<{
  count: number;
  /** Of each event, from its `recorded_at` until it stood in the feed, in milliseconds. */
  lagMs: readonly number[];
}>;

export type FeedLeaderOptions = Readonly<{
  /** For a connection of its own, with the role of the application. */
  connection: ConnectionConfig;
  clock: Clock;
  /** After each batch that is in the feed: for metrics, and to wake what reads it. What it throws goes to `onError`. */
  onMoved?: (moved: Moved) => void;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

// After a batch, rows collect this long, so that one commit carries many: at most some 100 commits a second.
const BUSY_WAIT_MS = 5;
// Half of the 50 ms that an event may take into the feed, and 40 cheap looks a second while nothing happens.
const IDLE_WAIT_MS = 25;
// Rounds between two questions after writers that are done: about ten times a second under load.
const ROUNDS_PER_SETTLING = 16;

/**
 * Moves the rows of the outbox into the feed: one dense order of all events, positions without gaps, in the order of its
 * commits within each stream. One process leads; the others stand by. Wake it when something was appended; without that its
 * next look is at most 25 ms away.
 *
 * @example
 * const leader = new FeedLeader({ connection, clock, onError: (error) => log.error(error) });
 * leader.start();
 */
export class FeedLeader extends SingletonWorker<pg.Client> {
  readonly #options: FeedLeaderOptions;

  constructor(options: FeedLeaderOptions) {
    super({ lock: new AdvisoryLock(options.connection, 'feed-leader'), onError: options.onError });
    this.#options = options;
  }

  protected override async work({ client, stopping, succeeded, pause }: Held<pg.Client>): Promise<void> {
    await client.query(MOVER_SETTINGS);
    const awaited = new AwaitedIds();
    const writers = new OutboxWriters();
    for (let round = 0; !stopping(); round += 1) {
      const doneUpTo = round % ROUNDS_PER_SETTLING === 0 ? await writers.doneUpTo(client) : undefined;
      const ids = await this.#move(client, awaited);
      awaited.seen(ids);
      succeeded();
      if (ids.length === FEED_BATCH) continue;
      // Only now: the statement above saw all there was up to that id, and left none of it behind.
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
