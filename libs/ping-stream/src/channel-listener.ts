import type pg from 'pg';
import { ListeningClient } from '#database/database-client';
import type { ConnectionConfig } from '#database/pool';
import { Pause } from '#runtime/pause';

export type ListenerOptions = Readonly<{
  /** For a connection of its own, to Postgres itself (not a pooler in transaction mode). */
  connection: ConnectionConfig;
  channel: string;
  /** Something was told, or may have been while there was no connection. */
  onTold: () => void;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

const RETRY_AFTER_MS = 1_000;

/** Listens on a channel for as long as it runs, and connects again when the connection is lost. */
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
    while (!this.#stopping) {
      try {
        await this.#listen();
      } catch (error) {
        if (!this.#stopping) this.options.onError(error);
      }
      if (!this.#stopping) await this.#pause.wait(RETRY_AFTER_MS);
    }
  }

  async #listen(): Promise<void> {
    const { connection, channel, onTold } = this.options;
    const client = new ListeningClient(connection);
    const ended = new Promise<void>((resolve, reject) => {
      client.once('end', resolve);
      client.once('error', reject);
    });
    // Until it is awaited below, a loss would be one that nobody handles.
    ended.catch(() => undefined);
    client.on('error', () => undefined);
    client.on('notification', onTold);
    this.#client = client;
    try {
      await client.connect();
      await connection.onConnect?.(client);
      await client.query(`listen ${channel}`);
      onTold();
      await ended;
    } finally {
      this.#client = undefined;
      await client.end().catch(() => undefined);
    }
  }
}
