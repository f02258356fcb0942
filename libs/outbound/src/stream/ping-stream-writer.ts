import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import { FollowerWait } from '#base/follower-wait';
import { type LockContext, SingletonWorker } from '#base/singleton-worker';
import { addToPingStream, PING_STREAM } from '../ping-stream.projection.js';

export type PingStreamWriterOptions = Readonly<{
  /** For the writer's own connection, with lookups by key (`byIndex`). Entries that a crash loses are written again, unchanged. */
  connection: ConnectionConfig;
  /** Must not throw. */
  onError: (error: unknown) => void;
  batch?: number;
}>;

const DEFAULT_BATCH = 1_000;

/** Like a `Subscription`, but with one round trip per batch, because it does not read events. Wake it when the feed has grown. */
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
    const wait = new FollowerWait();
    while (!stopping()) {
      const hasMore = await addToPingStream(client, this.#batch);
      succeeded();
      if (hasMore) wait.found();
      else await wait.rest(pause);
    }
  }
}
