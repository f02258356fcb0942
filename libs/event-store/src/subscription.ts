import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import { FollowerWait } from '#base/follower-wait';
import { type LockContext, SingletonWorker } from '#base/singleton-worker';
import type { EventArchive } from './event-archive.js';
import { type FeedEvent, readFeed } from './feed-reader.js';

/** Writes through `tx` are committed together with the checkpoint and so happen exactly once. Other effects happen at least once. */
export type FeedHandler = (events: readonly FeedEvent[], tx: pg.ClientBase) => Promise<void>;

export type SubscriptionOptions = Readonly<{
  /** The checkpoint's key in the table `subscriptions`. Of all processes with the same name, only one runs at a time. */
  name: string;
  connection: ConnectionConfig;
  handle: FeedHandler;
  /** Must not throw. Also gets the errors of `handle`, after which the same events are retried with backoff. */
  onError: (error: unknown) => void;
  /** Has the texts of old events, which are read again after a reset. */
  archive?: EventArchive;
  /** Events per call and transaction. */
  batch?: number;
}>;

const DEFAULT_BATCH = 500;

/**
 * Passes the feed to a handler in order. The checkpoint advances only when the handler succeeds. Wake it when the feed has grown; where
 * nobody does, it polls every 50 ms, so that with the leader's 25 ms a ping still meets its 100 ms.
 * @example new Subscription({ name: 'orders-by-day', connection, handle: countOrders, onError }).start();
 */
export class Subscription extends SingletonWorker<pg.Client> {
  readonly #options: SubscriptionOptions;

  constructor(options: SubscriptionOptions) {
    super({ lock: new AdvisoryLock(options.connection, `subscription ${options.name}`), onError: options.onError });
    this.#options = options;
  }

  protected override async work({ client, stopping, succeeded, pause }: LockContext<pg.Client>): Promise<void> {
    await client.query(FIRST_CHECKPOINT, [this.#options.name]);
    const wait = new FollowerWait();
    while (!stopping()) {
      const { position, last } = await this.#checkpoint(client);
      if (position < last) {
        wait.found();
        await this.#advance(client, position);
      } else await wait.rest(pause);
      succeeded();
    }
  }

  // Read each time, because a reset may have set it to zero.
  async #checkpoint(client: pg.Client): Promise<{ position: number; last: number }> {
    const { rows } = await client.query<{ position: string; last: string | null }>({
      name: 'subscription-checkpoint',
      text: CHECKPOINT,
      values: [this.#options.name],
    });
    return { position: Number(rows[0]?.position ?? 0), last: Number(rows[0]?.last ?? 0) };
  }

  async #advance(client: pg.Client, position: number): Promise<void> {
    const { batch = DEFAULT_BATCH, archive } = this.#options;
    const { events, next } = await readFeed(client, { after: position, limit: batch }, archive);
    await client.query('begin');
    // First, so the checkpoint's row lock blocks or detects a reset before the handler locks its own rows.
    const { rowCount } = await client.query({
      name: 'subscription-advance',
      text: ADVANCE,
      values: [this.#options.name, position, next],
    });
    if (rowCount === 1) await this.#options.handle(events, client);
    // PostgreSQL rolls back instead of committing if the handler swallowed the error of a statement.
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`A statement failed unnoticed in the handler of ${this.#options.name}.`);
  }
}

/** Works even while the subscription runs. In a transaction, call it before you empty tables, because batches lock in that order. */
export async function resetSubscription(db: pg.Pool | pg.ClientBase, name: string): Promise<void> {
  await db.query(RESET, [name]);
}

const FIRST_CHECKPOINT = 'insert into subscriptions (name, position) values ($1, 0) on conflict (name) do nothing';

const CHECKPOINT = 'select position, (select max(position) from feed) as last from subscriptions where name = $1';

const ADVANCE = 'update subscriptions set position = $3, updated_at = now() where name = $1 and position = $2';

const RESET = `
  insert into subscriptions (name, position) values ($1, 0)
  on conflict (name) do update set position = 0, updated_at = now()`;
