import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import { type Held, SingletonWorker } from '#runtime/singleton-worker';
import { type FeedEvent, readFeed } from './feed-reader.js';

/**
 * What a subscription does with the next events. What it writes through `tx` is committed together with the checkpoint, so
 * it is written once; anything else it does (add a job) happens at least once.
 */
export type FeedHandler = (events: readonly FeedEvent[], tx: pg.ClientBase) => Promise<void>;

export type SubscriptionOptions = Readonly<{
  /** Its checkpoint's key in the table `subscriptions`; the processes that share a name take turns, one at a time. */
  name: string;
  /** For a connection of its own, with the role of the application. */
  connection: ConnectionConfig;
  handle: FeedHandler;
  /** Must not throw. What `handle` throws comes here too, and the same events are tried again, with growing waits. */
  onError: (error: unknown) => void;
  /** The most events of one call and one transaction. */
  batch?: number;
}>;

const DEFAULT_BATCH = 500;
// For a process that does not lead the feed and so gets no hint: with the leader's own 25 ms still below the 100 ms of a ping.
const IDLE_WAIT_MS = 50;

/**
 * Hands the feed to a handler, first to last, from a checkpoint that moves only when the handler has succeeded. Wake it when
 * the feed has grown; without that its next look is at most 50 ms away.
 *
 * @example
 * const orders = new Subscription({ name: 'orders-by-day', connection, handle: countOrders, onError });
 * orders.start();
 * leader = new FeedLeader({ …, onMoved: () => orders.wake() });
 */
export class Subscription extends SingletonWorker<pg.Client> {
  readonly #options: SubscriptionOptions;

  constructor(options: SubscriptionOptions) {
    super({ lock: new AdvisoryLock(options.connection, `subscription ${options.name}`), onError: options.onError });
    this.#options = options;
  }

  protected override async work({ client, stopping, succeeded, pause }: Held<pg.Client>): Promise<void> {
    await client.query(FIRST_CHECKPOINT, [this.#options.name]);
    while (!stopping()) {
      const { position, last } = await this.#checkpoint(client);
      if (position < last) await this.#advance(client, position);
      else await pause(IDLE_WAIT_MS);
      succeeded();
    }
  }

  // Read anew each time: a reset may have put it back to zero.
  async #checkpoint(client: pg.Client): Promise<{ position: number; last: number }> {
    const { rows } = await client.query<{ position: string; last: string | null }>({
      name: 'subscription-checkpoint',
      text: CHECKPOINT,
      values: [this.#options.name],
    });
    return { position: Number(rows[0]?.position ?? 0), last: Number(rows[0]?.last ?? 0) };
  }

  async #advance(client: pg.Client, position: number): Promise<void> {
    const { events, next } = await readFeed(client, { after: position, limit: this.#options.batch ?? DEFAULT_BATCH });
    await client.query('begin');
    // The checkpoint first: its row lock keeps a reset out (or notices it) before the handler locks rows of its own.
    const { rowCount } = await client.query({
      name: 'subscription-advance',
      text: ADVANCE,
      values: [this.#options.name, position, next],
    });
    if (rowCount === 1) await this.#options.handle(events, client);
    // Postgres answers a commit with a rollback when the handler swallowed an error of one of its statements.
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`A statement failed unnoticed in the handler of ${this.#options.name}.`);
  }
}

/**
 * Puts a subscription back before the first event, also while it runs. Inside a transaction that empties what the subscription
 * writes, call this before emptying: the running batch takes its locks in the same order.
 */
export async function resetSubscription(db: pg.Pool | pg.ClientBase, name: string): Promise<void> {
  await db.query(RESET, [name]);
}

const FIRST_CHECKPOINT = 'insert into subscriptions (name, position) values ($1, 0) on conflict (name) do nothing';

const CHECKPOINT = 'select position, (select max(position) from feed) as last from subscriptions where name = $1';

const ADVANCE = 'update subscriptions set position = $3, updated_at = now() where name = $1 and position = $2';

const RESET = `
  insert into subscriptions (name, position) values ($1, 0)
  on conflict (name) do update set position = 0, updated_at = now()`;
