import pg from 'pg';
import { IS_READ_ONLY, adviceFor, READ_ONLY } from './unusable-database.js';

// A load balancer asks every few seconds: an answer that takes longer is as good as none.
const ANSWERS_WITHIN_MS = 2_000;

/** Asks whether PostgreSQL can be used, on a connection of its own: however busy the pools are, this one is free. */
export class DatabaseProbe {
  private client: pg.Client | undefined;
  private asking: Promise<string | undefined> | undefined;

  constructor(private readonly connection: pg.ClientConfig) {}

  /** Undefined when the database can be read and written, else why not, after 2 s at most. Who asks meanwhile hears the same. */
  async fault(): Promise<string | undefined> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return await this.asking;
  }

  end(): void {
    const { client } = this;
    this.client = undefined;
    // Without waiting for the server, which may be silent.
    if (client) (client as unknown as WithStream).connection.stream.destroy();
  }

  private async ask(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, ANSWERS_WITHIN_MS, `the database has not answered within ${ANSWERS_WITHIN_MS} ms`);
    });
    const fault = await Promise.race([this.query(), late]).catch(
      (error: unknown) => adviceFor(error) ?? 'the database does not answer',
    );
    clearTimeout(timer);
    // The next question goes to a new connection: this one is broken, silent, or to a server that was a standby.
    if (fault !== undefined) this.end();
    return fault;
  }

  private async query(): Promise<string | undefined> {
    if (!this.client) {
      const client = new pg.Client({ ...this.connection, connectionTimeoutMillis: ANSWERS_WITHIN_MS });
      client.on('error', () => this.client === client && this.end());
      this.client = client;
      await client.connect();
    }
    const { rows } = await this.client.query<{ read_only: boolean }>(IS_READ_ONLY);
    return rows[0]?.read_only ? READ_ONLY : undefined;
  }
}

/** The part of pg's client that its types leave out. */
type WithStream = { connection: { stream: { destroy(): void } } };
