import type pg from 'pg';
import { SystemRandomness } from '#base/randomness';
import { ConnectBackoff } from './connect-backoff.js';
import { DeadPeerDetector } from './dead-peer-detector.js';
import { PrimaryClient } from './primary-client.js';

type Server = Readonly<{ detector: DeadPeerDetector; backoff: ConnectBackoff }>;

// Longer than connecting takes, yet short enough for a second attempt within the 15 s that a dead connection may cost.
const CONNECT_WITHIN_MS = 5_000;

const servers = new Map<string, Server>();

/**
 * Detects a dead connection (see DeadPeerDetector) and connects with backoff. All connections of this process to one server share both. An
 * `error` event without a listener does not end the process, because the pending query fails anyway.
 */
export class DatabaseClient extends PrimaryClient {
  readonly #server: Server;

  constructor(config: pg.ClientConfig = {}) {
    const connectionTimeoutMillis = Math.min(config.connectionTimeoutMillis || CONNECT_WITHIN_MS, CONNECT_WITHIN_MS);
    super({ ...config, connectionTimeoutMillis });
    this.#server = serverOf(config);
    this.on('error', () => undefined);
  }

  protected override async open(): Promise<this> {
    let begun = 0;
    await this.#server.backoff.run(() => {
      begun = performance.now();
      return super.open();
    });
    this.#server.detector.watch(this, { heartbeat: this.hasHeartbeat, connectMs: performance.now() - begun });
    return this;
  }

  protected get hasHeartbeat(): boolean {
    return false;
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
