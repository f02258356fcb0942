import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import type { Clock } from '#base/clock';
import { AwaitedIds } from './awaited-ids.js';
import { type LockContext, SingletonWorker } from '#base/singleton-worker';
import { FEED_BATCH, MOVER_SETTINGS, moveToFeed } from './feed-move.js';
import { OUTBOX_CHANNEL } from './outbox-doorbell.js';
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
  /** Called when it begins to lead, so that followers in this process learn that they will be woken. Must not throw. */
  onLeading?: () => void;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

// Collects rows for this long after a batch, so one commit moves many: at most about 100 commits a second.
const BUSY_WAIT_MS = 5;
// Half of the 50 ms that an event may take to reach the feed. Costs 40 cheap queries a second.
const AWAKE_WAIT_MS = 25;
// Two seconds: a process that appends rings the doorbell only once a second.
const ROUNDS_AWAKE = 80;
// Finds what a lost wake-up leaves to do.
const ASLEEP_WAIT_MS = 250;
// Rounds between two checks for finished writers: about ten checks a second under load.
const ROUNDS_PER_SETTLING = 16;

/**
 * Moves the outbox into the feed, which gives all events one total order without gaps. Each stream keeps its own order. One process leads
 * and the others stand by. It polls every 25 ms. After two seconds without an event it polls every 250 ms, until the doorbell rings.
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
    client.on('notification', () => this.wake());
    await client.query(`listen ${OUTBOX_CHANNEL}`);
    this.#options.onLeading?.();
    let quietRounds = 0;
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
      quietRounds = ids.length > 0 ? 0 : quietRounds + 1;
      if (stopping()) return;
      if (await pause(waitAfter(quietRounds))) quietRounds = 0;
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

function waitAfter(quietRounds: number): number {
  if (quietRounds === 0) return BUSY_WAIT_MS;
  return quietRounds < ROUNDS_AWAKE ? AWAKE_WAIT_MS : ASLEEP_WAIT_MS;
}
