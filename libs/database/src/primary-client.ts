import pg from 'pg';
import { isUnreachable } from './connect-backoff.js';
import { dropConnection } from './drop-connection.js';
import { primaryFinder, rejectStandby } from './primary-finder.js';
import { atFirstServer } from './session.js';

/** Connects to the primary if the address names several servers (pg takes only one). Otherwise it is pg's client. */
export class PrimaryClient extends pg.Client {
  readonly #databaseUrl: string;

  constructor(config: pg.ClientConfig = {}) {
    super(atFirstServer(config));
    this.#databaseUrl = config.connectionString ?? '';
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | void {
    const connected = this.open();
    if (!callback) return connected;
    // Not inside the promise, which would swallow an error that the callback throws.
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: Error) => process.nextTick(callback, error),
    );
  }

  protected async open(): Promise<this> {
    const finder = primaryFinder(this.#databaseUrl);
    if (!finder) {
      await super.connect();
      return this;
    }
    const primary = await finder.find();
    const { host, port } = primary;
    Object.assign(this, { host, port });
    try {
      await super.connect();
      // It may have become a standby since it was found.
      await rejectStandby(this);
    } catch (error) {
      if (isUnreachable(error)) finder.forget(primary);
      dropConnection(this);
      throw error;
    }
    return this;
  }
}
