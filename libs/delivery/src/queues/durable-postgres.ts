import { type BackendFactory, PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import { DatabaseClient, ListeningClient } from '#database/database-client';

/** The connection that BullMQ waits on. BullMQ takes all listeners off it before it closes it; an error would end the process. */
class WaitingClient extends ListeningClient {
  override removeAllListeners(event?: string): this {
    super.removeAllListeners(event);
    return this.on('error', () => undefined);
  }
}

// As often as BullMQ looks where no job is delayed.
const LOOK_EVERY_S = 5;

/** Where BullMQ keeps its schema, and by how many connections. */
export function postgresOptions(connectionString: string) {
  return {
    connectionString,
    Client: DatabaseClient,
    schema: 'bullmq',
    // Every queue and every worker has a pool of its own, and a worker one connection more to listen on. With two a worker
    // picked jobs up ten times later under load.
    max: 4,
    connectionTimeoutMillis: 5_000,
    application_name: 'willcall-queues',
    // A job that a crash of the server loses is added again by a sweep.
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
    Object.assign(this, { pgModule: { Client: WaitingClient } });
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
    const client = new DatabaseClient(durable);
    await client.connect();
    try {
      await runMigrations(client, schema);
    } finally {
      await client.end();
    }
  }
}

/** BullMQ's own Postgres backend, on connections that outlive the server's faults. */
class DurableBackend extends PostgresQueueBackend {
  /**
   * In seconds. BullMQ would wait for the next delayed job for up to an hour, and look for others only when it is notified: a
   * notification that is lost with a connection would be missed for as long.
   */
  override get maximumBlockTimeout(): number {
    return LOOK_EVERY_S;
  }
}

export const createDurableBackend: BackendFactory<PostgresQueueBackend, PostgresOptions> = (name, options) =>
  new DurableBackend(new DurableConnection(options.connection), name, options);
