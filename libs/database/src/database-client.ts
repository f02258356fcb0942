import pg from 'pg';
import { SystemRandomness } from '#runtime/randomness';
import { ConnectBackoff } from './connect-backoff.js';
import { DeadPeerDetector } from './dead-peer-detector.js';

type Server = Readonly<{ detector: DeadPeerDetector; backoff: ConnectBackoff }>;

// Longer than a connection takes, so short that the next one still comes within the 15 s that a dead one may cost.
const CONNECT_WITHIN_MS = 5_000;

const servers = new Map<string, Server>();

/**
 * A connection to PostgreSQL that notices when it is dead (see DeadPeerDetector) and, while the server is away, is attempted with
 * backoff. Both are per server, for all connections of this process. An error that nobody listens to does not end the process:
 * whoever waits for an answer hears of it anyway.
 */
export class DatabaseClient extends pg.Client {
  readonly #server: Server;

  constructor(config: pg.ClientConfig = {}) {
    const connectionTimeoutMillis = Math.min(config.connectionTimeoutMillis || CONNECT_WITHIN_MS, CONNECT_WITHIN_MS);
    super({ ...config, connectionTimeoutMillis });
    this.#server = serverOf(config);
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | void {
    const connected = this.#server.backoff.run(() => super.connect()).then(() => this.#connected());
    if (!callback) return connected;
    // Outside the promise, which would swallow what the callback throws.
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: Error) => process.nextTick(callback, error),
    );
  }

  /** Whether it is tried out while it waits for nothing. */
  protected get hasHeartbeat(): boolean {
    return false;
  }

  #connected(): this {
    this.#server.detector.watch(this, { heartbeat: this.hasHeartbeat });
    return this;
  }
}

/** For a connection that only listens: without a heartbeat it would never notice that it is dead. */
export class ListeningClient extends DatabaseClient {
  protected override get hasHeartbeat(): boolean {
    return true;
  }
}

function serverOf(config: pg.ClientConfig): Server {
  const { connectionString, host, port, user, database } = config;
  const key = connectionString ?? JSON.stringify([host, port, user, database]);
  const known = servers.get(key);
  if (known) return known;
  const server = { detector: new DeadPeerDetector(config), backoff: new ConnectBackoff(new SystemRandomness()) };
  servers.set(key, server);
  return server;
}
