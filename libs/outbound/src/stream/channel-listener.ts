import type pg from 'pg';
import { ListeningClient } from '#database/database-client';
import type { ConnectionConfig } from '#database/pool';
import { onlyReads } from '#database/session';
import { Pause } from '#base/pause';

export type ListenerOptions = Readonly<{
  /** Must lead to PostgreSQL itself, not to a pooler in transaction mode. */
  connection: ConnectionConfig;
  channel: string;
  /** Called for each notification, and after connecting, because notifications may have been lost before. */
  onNotification: () => void;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

const RETRY_AFTER_MS = 1_000;

/** A standby cannot notify, so a process that only reads looks this often. */
const LOOK_EVERY_MS = 250;

export class ChannelListener {
  readonly #pause = new Pause();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #stopping = false;

  constructor(private readonly options: ListenerOptions) {}

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#pause.wake();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(): Promise<void> {
    if (onlyReads(this.options.connection)) return await this.#look();
    while (!this.#stopping) {
      try {
        await this.#listen();
      } catch (error) {
        if (!this.#stopping) this.options.onError(error);
      }
      if (!this.#stopping) await this.#pause.wait(RETRY_AFTER_MS);
    }
  }

  async #look(): Promise<void> {
    while (!this.#stopping) {
      this.options.onNotification();
      await this.#pause.wait(LOOK_EVERY_MS);
    }
  }

  async #listen(): Promise<void> {
    const { connection, channel, onNotification } = this.options;
    const client = new ListeningClient(connection);
    const ended = new Promise<void>((resolve, reject) => {
      client.once('end', resolve);
      client.once('error', reject);
    });
    // Otherwise a loss before the await below would be an unhandled rejection.
    ended.catch(() => undefined);
    client.on('error', () => undefined);
    client.on('notification', onNotification);
    this.#client = client;
    try {
      await client.connect();
      await connection.onConnect?.(client);
      await client.query(`listen ${channel}`);
      onNotification();
      await ended;
    } finally {
      this.#client = undefined;
      await client.end().catch(() => undefined);
    }
  }
}
