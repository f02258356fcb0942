import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import { type LockContext, SingletonWorker } from '#runtime/singleton-worker';
import { addToPingStream, PING_STREAM } from './ping-stream.projection.js';

export type PingStreamWriterOptions = Readonly<{
  /** For a connection of its own, for look-ups by key. What a crash takes back is added again just as it was. */
  connection: ConnectionConfig;
  /** Must not throw. */
  onError: (error: unknown) => void;
  /** The most positions of the feed in one statement. */
  batch?: number;
}>;

const DEFAULT_BATCH = 1_000;
// For a process that does not lead the feed and so gets no hint.
const IDLE_WAIT_MS = 50;

/**
 * Fills the ping stream from the feed. A subscription like the others, with a checkpoint and one process at a time, but in one
 * round trip a batch: the events themselves need not be read, and an entry comes to its readers the sooner. Wake it when the
 * feed has grown; without that its next look is at most 50 ms away.
 */
export class PingStreamWriter extends SingletonWorker<pg.Client> {
  readonly #batch: number;

  constructor({ connection, onError, batch = DEFAULT_BATCH }: PingStreamWriterOptions) {
    super({ lock: new AdvisoryLock(connection, `subscription ${PING_STREAM}`), onError });
    this.#batch = batch;
  }

  protected override async work({ client, stopping, succeeded, pause }: LockContext<pg.Client>): Promise<void> {
    await client.query('insert into subscriptions (name, position) values ($1, 0) on conflict (name) do nothing', [
      PING_STREAM,
    ]);
    while (!stopping()) {
      const moved = await addToPingStream(client, this.#batch);
      succeeded();
      if (!moved) await pause(IDLE_WAIT_MS);
    }
  }
}
