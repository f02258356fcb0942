import { type BackendFactory, PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import { APPLICATION_ROLE } from '#database/application-role';
import { DatabaseClient, ListeningClient } from '#database/database-client';
import { sessionConfig } from '#database/session';

/** BullMQ removes all listeners before it closes this connection, and an error would then end the process. */
class WaitingClient extends ListeningClient {
  override removeAllListeners(event?: string): this {
    super.removeAllListeners(event);
    return this.on('error', () => undefined);
  }
}

// What BullMQ creates belongs to all logins of the application.
const AS_APPLICATION = `-c role=${APPLICATION_ROLE}`;

// The same interval as BullMQ's own when no job is delayed.
const LOOK_EVERY_S = 5;

export function postgresOptions(databaseUrl: string) {
  return {
    // If a crash of the server loses a job, a sweep adds it again.
    ...queueSession(databaseUrl, '-c synchronous_commit=off'),
    databaseUrl,
    Client: DatabaseClient,
    schema: 'bullmq',
    // For each queue and each worker, which has one more connection for listening. With a maximum of two, a worker picked up jobs ten times
    // later under load.
    max: 4,
    connectionTimeoutMillis: 5_000,
  };
}

function queueSession(databaseUrl: string, ...settings: string[]) {
  return sessionConfig(databaseUrl, 'willcall-queues', [AS_APPLICATION, ...settings]);
}

type PostgresOptions = ReturnType<typeof postgresOptions>;

class DurableConnection extends PostgresConnection {
  private migrated: Promise<void> | undefined;

  constructor(private readonly options: PostgresOptions) {
    super(options);
    // BullMQ creates its waiting connection with its own copy of the driver, not with the `Client` option.
    Object.assign(this, { pgModule: { Client: WaitingClient } });
  }

  override async waitUntilReady(): Promise<void> {
    this.migrated ??= this.migrateDurably();
    await this.migrated;
    await super.waitUntilReady();
  }

  /** BullMQ's own connections do not wait for the disk. A crash soon after the first start would lose the schema for good. */
  private async migrateDurably(): Promise<void> {
    const { schema, databaseUrl, connectionTimeoutMillis } = this.options;
    const client = new DatabaseClient({ ...queueSession(databaseUrl), connectionTimeoutMillis });
    await client.connect();
    try {
      await runMigrations(withoutSchema(client), schema);
    } finally {
      await client.end();
    }
  }
}

/** `willcall migrate` has created the schema. PostgreSQL refuses even `if not exists` to a login that may not create one. */
function withoutSchema(client: DatabaseClient): Pick<DatabaseClient, 'query'> {
  const query = (text: string, values?: unknown[]) =>
    text.startsWith('CREATE SCHEMA') ? Promise.resolve({ rows: [] }) : client.query(text, values);
  return { query: query as DatabaseClient['query'] };
}

class DurableBackend extends PostgresQueueBackend {
  /** In seconds. BullMQ would wait up to an hour for the next delayed job. A lost notification would delay other jobs that long. */
  override get maximumBlockTimeout(): number {
    return LOOK_EVERY_S;
  }
}

export const createDurableBackend: BackendFactory<PostgresQueueBackend, PostgresOptions> = (name, options) =>
  new DurableBackend(new DurableConnection(options.connection), name, options);
