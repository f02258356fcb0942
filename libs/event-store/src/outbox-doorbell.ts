import type { ClientBase, Pool } from 'pg';
import type { Clock } from '#runtime/clock';

export const OUTBOX_CHANNEL = 'willcall_outbox';

// The leader stays awake for twice as long after an event.
const RING_EVERY_MS = 1_000;

/**
 * Wakes the feed leader, which polls seldom while nothing is appended. Rings after the commit and at most once a second: a notification
 * within the transaction of an append would make the commits of all appends wait for each other.
 */
export class OutboxDoorbell {
  #rungAt = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Call it when events were appended. If the ring is lost, the leader finds them by itself. */
  async ring(db: Pick<Pool | ClientBase, 'query'>): Promise<void> {
    const now = this.clock.monotonic();
    if (now - this.#rungAt < RING_EVERY_MS) return;
    this.#rungAt = now;
    await db.query(`notify ${OUTBOX_CHANNEL}`);
  }
}
