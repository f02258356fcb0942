import type { ClientBase, Pool } from 'pg';
import type { Clock } from '#base/clock';

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

  /** Call it when events were committed. If the ring is lost, the leader finds them by itself. */
  ring(pool: Pick<Pool, 'query'>): void {
    if (this.#isDue()) pool.query(RING_NOW).catch(() => undefined);
  }

  /** Rings when the transaction commits. */
  async ringAtCommit(client: Pick<ClientBase, 'query'>): Promise<void> {
    if (this.#isDue()) await client.query(`notify ${OUTBOX_CHANNEL}`);
  }

  #isDue(): boolean {
    const now = this.clock.monotonic();
    if (now - this.#rungAt < RING_EVERY_MS) return false;
    this.#rungAt = now;
    return true;
  }
}

// PostgreSQL delivers a notification after its commit, which need not wait for the disk.
const RING_NOW = `select set_config('synchronous_commit', 'off', true), pg_notify('${OUTBOX_CHANNEL}', '')`;
