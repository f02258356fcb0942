import pg from 'pg';
import { SystemRandomness } from '#base/randomness';
import { ConnectBackoff } from './connect-backoff.js';
import { DeadPeerDetector } from './dead-peer-detector.js';

type Server = Readonly<{ detector: DeadPeerDetector; backoff: ConnectBackoff }>;

// Longer than connecting takes, yet short enough for a second attempt within the 15 s that a dead connection may cost.
const CONNECT_WITHIN_MS = 5_000;

const servers = new Map<string, Server>();

/**
 * Detects a dead connection (see DeadPeerDetector) and connects with backoff. All connections of this process to one server share both. An
 * `error` event without a listener does not end the process, because the pending query fails anyway.
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
    let begun = 0;
    const attempt = () => {
      begun = performance.now();
      return super.connect();
    };
    const connected = this.#server.backoff.run(attempt).then(() => this.#connected(performance.now() - begun));
    if (!callback) return connected;
    // Not inside the promise, which would swallow an error that the callback throws.
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: Error) => process.nextTick(callback, error),
    );
  }

  protected get hasHeartbeat(): boolean {
    return false;
  }

  #connected(connectMs: number): this {
    this.#server.detector.watch(this, { heartbeat: this.hasHeartbeat, connectMs });
    return this;
  }
}

/** Without a heartbeat, a connection that only listens would never notice that it is dead. */
export class ListeningClient extends DatabaseClient {
  protected override get hasHeartbeat(): boolean {
    return true;
  }
}

function serverOf(config: pg.ClientConfig): Server {
  const { connectionString, host, port, user, database } = config;
  const key = connectionString ?? JSON.stringify([host, port, user, database]);
  const existing = servers.get(key);
  if (existing) return existing;
  const server = { detector: new DeadPeerDetector(config), backoff: new ConnectBackoff(new SystemRandomness()) };
  servers.set(key, server);
  return server;
}
