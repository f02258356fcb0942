import type pg from 'pg';
import { ExclusiveSession, type Held } from '#event-store/exclusive-session';
import { Pause } from '#event-store/pause';
import { addToPingStream, PING_STREAM } from './ping-stream.projection.js';

export type PingStreamWriterOptions = Readonly<{
  /** For a connection of its own, for look-ups by key. What a crash takes back is added again just as it was. */
  connection: pg.ClientConfig;
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
 * round trip a batch: the events themselves need not be read, and an entry comes to its readers the sooner.
 */
export class PingStreamWriter {
  readonly #session: ExclusiveSession;
  readonly #pause = new Pause();
  readonly #batch: number;

  constructor({ connection, onError, batch = DEFAULT_BATCH }: PingStreamWriterOptions) {
    this.#batch = batch;
    this.#session = new ExclusiveSession({
      connection,
      name: `subscription ${PING_STREAM}`,
      work: (held) => this.#follow(held),
      onError,
    });
  }

  start(): void {
    this.#session.start();
  }

  /** Finishes the batch in hand and lets another process go on. */
  async stop(): Promise<void> {
    this.#pause.wake();
    await this.#session.stop();
  }

  /** A hint that the feed has grown; without it the next look is at most 50 ms away. */
  wake(): void {
    this.#pause.wake();
  }

  async #follow({ client, stopping, succeeded }: Held): Promise<void> {
    await client.query('insert into subscriptions (name, position) values ($1, 0) on conflict (name) do nothing', [
      PING_STREAM,
    ]);
    while (!stopping()) {
      const moved = await addToPingStream(client, this.#batch);
      succeeded();
      if (!moved) await this.#pause.wait(IDLE_WAIT_MS);
    }
  }
}
