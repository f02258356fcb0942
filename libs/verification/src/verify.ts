import type { ClientBase, Pool } from 'pg';
import { prepareScan, scanStreams, type StoredStream } from '#event-store/stream-scan';
import { REBUILD_LOCK, TablesInUse } from '#orders/read-models/rebuild';
import { type Difference, Differences, type Kind, NAMED_OF_A_KIND } from './differences.js';
import { chainBreak } from './hash-chains.js';
import { type Replay, replay, WRITTEN_TABLES, type WrittenTable } from './replay.js';
import { comparePurchaseKeys, compareRows } from './table-comparison.js';
import { WHOLE_TABLE_CHECKS, type WholeTableCheck } from './whole-table-checks.js';

/** Numbers of checked rows. */
export type Checked = Record<
  'streams' | 'events' | 'feed' | 'ping_stream' | 'listings' | 'audit_log' | 'purchase_keys' | WrittenTable['name'],
  number
>;

export type Verification = Readonly<{
  checked: Checked;
  /** Numbers of differences. Empty when all is well. */
  found: Partial<Record<Kind, number>>;
  /** The first ones of each kind. */
  differences: readonly Difference[];
}>;

/** Called after every few hundred events, and before each check of whole tables. The verification waits for the promise. */
type OnProgress = (checked: Readonly<Checked>) => void | Promise<void>;

/**
 * Compares all derived tables with the log, and the log with its hashes. One repeatable-read, read-only transaction sees one state of the
 * database, while purchases continue. Memory does not grow with the log.
 * @param signal ends the connection, so the verification fails at once
 * @throws TablesInUse during a rebuild, because it exchanges a table for one that this snapshot cannot see
 */
export async function verify(
  pool: Pool,
  onProgress: OnProgress = () => undefined,
  signal?: AbortSignal,
): Promise<Verification> {
  const client = await pool.connect();
  let isClosed = false;
  // Closing the connection ends the transaction, its settings and the lock.
  const close = () => {
    if (!isClosed) client.release(true);
    isClosed = true;
  };
  signal?.addEventListener('abort', close);
  try {
    signal?.throwIfAborted();
    const lock = 'select pg_try_advisory_lock_shared($1) as free';
    const { rows } = await client.query<{ free: boolean }>(lock, [REBUILD_LOCK]);
    if (!rows[0]?.free) throw new TablesInUse('A rebuild is at work: try again when it is done.');
    await client.query('set statement_timeout = 0');
    await client.query('begin isolation level repeatable read read only');
    return await new Verifier(client, onProgress).verify();
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

class Verifier {
  readonly #differences = new Differences();
  readonly #checked: Checked = {
    streams: 0,
    events: 0,
    feed: 0,
    orders: 0,
    status_history: 0,
    pings: 0,
    ping_stream: 0,
    listings: 0,
    purchase_keys: 0,
    personal_data_keys: 0,
    audit_log: 0,
  };

  constructor(
    private readonly client: ClientBase,
    private readonly onProgress: OnProgress,
  ) {}

  async verify(): Promise<Verification> {
    await prepareScan(this.client);
    for await (const streams of scanStreams(this.client)) {
      await this.checkStreams(streams);
      await this.onProgress(this.#checked);
    }
    await this.client.query('reset enable_seqscan; reset enable_bitmapscan');
    for (const check of WHOLE_TABLE_CHECKS) {
      await this.onProgress(this.#checked);
      await this.checkWholeTable(check);
    }
    for (const table of ['feed', 'ping_stream', 'listings', 'audit_log'] as const) {
      const { rows } = await this.client.query<{ rows: string }>(`select count(*) as rows from ${table}`);
      this.#checked[table] = Number(rows[0]?.rows);
    }
    return { checked: this.#checked, found: this.#differences.counts, differences: this.#differences.named };
  }

  private async checkStreams(streams: readonly StoredStream[]): Promise<void> {
    const replays: Replay[] = [];
    for (const stream of streams) {
      this.#checked.streams += 1;
      this.#checked.events += stream.length;
      const broken = chainBreak(stream);
      if (broken) this.#differences.add(broken);
      const replayed = this.replay(stream);
      if (replayed) replays.push(replayed);
    }
    for (const table of WRITTEN_TABLES) {
      this.#checked[table.name] += await compareRows(this.client, table, replays, this.#differences);
    }
    this.#checked.purchase_keys += await comparePurchaseKeys(this.client, replays, this.#differences);
  }

  private replay(stream: StoredStream): Replay | undefined {
    try {
      return replay(stream);
    } catch {
      // The error's text may quote the event, so it is dropped.
      this.#differences.add({ kind: 'orders', id: stream[0].stream, problem: 'the events make no order' });
      return undefined;
    }
  }

  private async checkWholeTable({ kind, problem, sql }: WholeTableCheck): Promise<void> {
    const { rows } = await this.client.query<{ id: string; at?: string | number | null; found: string }>(
      `select *, count(*) over () as found from (${sql}) as differing order by differing limit ${NAMED_OF_A_KIND}`,
    );
    for (const { id, at } of rows) {
      this.#differences.add({ kind, id, ...(at != null && { at: Number(at) }), problem });
    }
    this.#differences.addUnnamed(kind, Number(rows[0]?.found ?? 0) - rows.length);
  }
}
