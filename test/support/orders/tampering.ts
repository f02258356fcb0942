import type { Pool, PoolClient } from 'pg';
import { SeededRandomness } from '#base/seeded-randomness';
import { createPool } from '#database/pool';
import { moveToFeed } from '#event-store/feed-move';
import { addToPingStream, PING_STREAM } from '#outbound/ping-stream.projection';
import type { Difference } from '#upkeep/differences';
import type { LedgerProof } from '#upkeep/ledger-check';
import { verify } from '#upkeep/verify';
import { createTestDatabase, type TestDatabase } from '../database.js';
import { LiveOrders } from './live-orders.js';

/** A database with some hundred order events, most of them in the feed. Each test gets a copy. */
export async function databaseWithOrders(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const pool = connect(database);
  const orders = new LiveOrders(pool, new SeededRandomness(42));
  await orders.live(250);
  await moveSomeToFeed(pool);
  await orders.live(30);
  await orders.dispute(60);
  await orders.choose(30);
  await pool.query(AUDIT_ENTRIES);
  await pool.end();
  return database;
}

const AUDIT_ENTRIES = `
  select append_audit('aud_' || n, json_build_object('id', 'aud_' || n, 'at', '2026-11-22T12:00:00.000Z', 'actor', 'operator:opr_1',
    'action', 'order.changed', 'subject', 'order:ord_' || n)::text)
  from generate_series(1, 6) as n`;

/** A copy of a database, and a connection that can change anything in it. */
export class Tampering {
  private constructor(
    private readonly database: TestDatabase,
    readonly pool: Pool,
    /** Triggers are off on this connection, so it can change what nothing else can. */
    readonly hand: PoolClient,
  ) {}

  static async with(like: TestDatabase): Promise<Tampering> {
    const database = await createTestDatabase(like);
    const pool = connect(database);
    const hand = await pool.connect();
    await hand.query('set session_replication_role = replica');
    return new Tampering(database, pool, hand);
  }

  get url(): string {
    return this.database.url;
  }

  /** Of the database. */
  get name(): string {
    return new URL(this.url).pathname.slice(1);
  }

  async end(): Promise<void> {
    this.hand.release(true);
    await this.pool.end();
    await this.database.drop();
  }

  /** Runs a statement; returns the column `id` of its rows. */
  async sql(statement: string, values: unknown[] = []): Promise<string[]> {
    const { rows } = await this.hand.query<{ id: string }>(statement, values);
    return rows.map(({ id }) => id);
  }

  /** Like `sql`, but throws unless there is exactly one row. */
  async one(statement: string, values: unknown[] = []): Promise<string> {
    const [id, ...more] = await this.sql(statement, values);
    if (id === undefined || more.length > 0) throw new Error(`${more.length + (id ? 1 : 0)} rows instead of one`);
    return id;
  }

  /** Inserts a copy of the first matching row, with these columns changed. */
  async insertLike(table: string, where: string, change: object): Promise<void> {
    const like = `select (json_populate_record(t, $1::json)).* from ${table} t where ${where} limit 1`;
    await this.sql(`insert into ${table} ${like}`, [JSON.stringify(change)]);
  }

  /** Adds the feed to the ping stream, as the worker does. */
  async stream(): Promise<void> {
    await this.sql('insert into subscriptions (name, position) values ($1, 0)', [PING_STREAM]);
    await addToPingStream(this.hand, 1e6);
  }

  /** The differences that verify finds: kind, id, place, column and problem as one text each. */
  async found(proof: Partial<LedgerProof> = {}): Promise<string[]> {
    return (await verify(this.pool, proof)).differences.map(asText);
  }
}

/** Moves some of the outbox to the feed. */
export async function moveSomeToFeed(pool: Pool): Promise<void> {
  const client = await pool.connect();
  await moveToFeed(client, [{ low: 0, high: 1e9 }]);
  client.release();
}

export function connect({ url: databaseUrl }: TestDatabase): Pool {
  return createPool({ databaseUrl, max: 8, applicationName: 'test', onError: () => undefined, asOwner: true });
}

function asText({ kind, id, at, column, problem }: Difference): string {
  return [kind, id, at, column, problem].filter((part) => part !== undefined).join(' | ');
}
