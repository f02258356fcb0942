import { type BackendFactory, PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import pg from 'pg';

/**
 * A broken connection to which nobody listens ends the process. BullMQ does not listen while it looks after its schema (its
 * query fails all the same, which is reported), and takes all ears off the connection it waits on before it closes it.
 */
class WatchedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.listen();
  }

  override removeAllListeners(event?: string): this {
    super.removeAllListeners(event);
    return this.listen();
  }

  private listen(): this {
    return this.on('error', () => undefined);
  }
}

/** Where BullMQ keeps its schema, and by how many connections. */
export function postgresOptions(connectionString: string) {
  return {
    connectionString,
    Client: WatchedClient,
    schema: 'bullmq',
    // Every queue and every worker has a pool of its own, and a worker one connection more to listen on. With two a worker
    // picked jobs up ten times later under load.
    max: 4,
    connectionTimeoutMillis: 5_000,
    application_name: 'willcall-queues',
    // A job that a crash of the server loses is rung again by a sweep.
    options: '-c synchronous_commit=off',
  };
}

type PostgresOptions = ReturnType<typeof postgresOptions>;

/** BullMQ's connections to PostgreSQL, with what it leaves open. */
class DurableConnection extends PostgresConnection {
  private migrated: Promise<void> | undefined;

  constructor(private readonly options: PostgresOptions) {
    super(options);
    // The connection it waits on is made with the driver that it has loaded, not with the `Client` of its options.
    Object.assign(this, { pgModule: { Client: WatchedClient } });
  }

  override async waitUntilReady(): Promise<void> {
    this.migrated ??= this.migrateDurably();
    await this.migrated;
    await super.waitUntilReady();
  }

  /**
   * Its own connections do not wait for the disk: a crash soon after the first start would take the schema along, and
   * who believes that it is there never looks again.
   */
  private async migrateDurably(): Promise<void> {
    const { schema, options: _lazyCommit, ...durable } = this.options;
    const client = new WatchedClient(durable);
    await client.connect();
    try {
      await runMigrations(client, schema);
    } finally {
      await client.end();
    }
  }
}

/** BullMQ's own Postgres backend, on connections that outlive the server's faults. */
export const createDurableBackend: BackendFactory<PostgresQueueBackend, PostgresOptions> = (name, options) =>
  new PostgresQueueBackend(new DurableConnection(options.connection), name, options);
