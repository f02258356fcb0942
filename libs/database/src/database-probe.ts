import type pg from 'pg';
import { dropConnection } from './drop-connection.js';
import { PrimaryClient } from './primary-client.js';
import { onlyReads } from './session.js';
import { IS_READ_ONLY, adviceFor, READ_ONLY } from './unusable-database.js';

const ANSWERS_WITHIN_MS = 2_000;

/** Has its own connection, so busy pools do not delay it. */
export class DatabaseProbe {
  private client: pg.Client | undefined;
  private running: Promise<string | undefined> | undefined;

  constructor(private readonly connection: pg.ClientConfig) {}

  /** Whether only reads are asked for. A standby is good enough then. */
  get onlyReads(): boolean {
    return onlyReads(this.connection);
  }

  /** Within 2 s. Undefined if the database can be read, and written unless only reads are asked for, else the reason. Concurrent calls share one check. */
  async check(): Promise<string | undefined> {
    this.running ??= this.run().finally(() => (this.running = undefined));
    return await this.running;
  }

  end(): void {
    const { client } = this;
    this.client = undefined;
    if (client) dropConnection(client);
  }

  private async run(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, ANSWERS_WITHIN_MS, `the database has not answered within ${ANSWERS_WITHIN_MS} ms`);
    });
    const reason = await Promise.race([this.query(), late]).catch(
      (error: unknown) => adviceFor(error) ?? 'the database does not answer',
    );
    clearTimeout(timer);
    // The next check needs a new connection: this one is broken, unresponsive, or leads to a standby.
    if (reason !== undefined) this.end();
    return reason;
  }

  private async query(): Promise<string | undefined> {
    if (!this.client) {
      const client = new PrimaryClient({ ...this.connection, connectionTimeoutMillis: ANSWERS_WITHIN_MS });
      client.on('error', () => this.client === client && this.end());
      this.client = client;
      await client.connect();
    }
    const { rows } = await this.client.query<{ read_only: boolean }>(IS_READ_ONLY);
    return rows[0]?.read_only && !this.onlyReads ? READ_ONLY : undefined;
  }
}
