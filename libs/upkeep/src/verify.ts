import type { ClientBase, Pool } from 'pg';
import { LedgerKeys } from '#event-store/hash-chain';
import { ENTRIES_BY_KEY } from '#event-store/feed-head';
import { prepareScan, scanStreams, type StoredStream } from '#event-store/stream-scan';
import { REBUILD_LOCK, TablesInUse } from '#orders/rebuild';
import { checkArchive } from './archive/archive-check.js';
import { type Difference, Differences, type Kind, NAMED_OF_A_KIND } from './differences.js';
import { chainBreak } from './verification/hash-chains.js';
import { LedgerCheck, type LedgerProof, type LedgerResult } from './ledger-check.js';
import { type Replay, replay, WRITTEN_TABLES, type WrittenTable } from './verification/replay.js';
import { comparePurchaseKeys, compareRows } from './verification/table-comparison.js';
import { WHOLE_TABLE_CHECKS, type WholeTableCheck } from './verification/whole-table-checks.js';

/** Numbers of checked rows. */
type Checked = Record<
  'streams' | 'events' | 'feed' | 'ping_stream' | 'listings' | 'audit_log' | 'purchase_keys' | WrittenTable['name'],
  number
>;

export type Verification = Readonly<{
  checked: Checked;
  ledger: LedgerResult;
  /** Files of the archive. */
  archived: number;
  /** Numbers of differences. Empty when all is well. */
  found: Partial<Record<Kind, number>>;
  /** The first ones of each kind. */
  differences: readonly Difference[];
}>;

/** Called after every few hundred events, and before each check of whole tables. The verification waits for the promise. */
type OnProgress = (checked: Readonly<Checked>) => void | Promise<void>;

export type VerifyOptions = Partial<LedgerProof> &
  Readonly<{
    onProgress?: OnProgress;
    /** Ends the connection, so the verification fails at once. */
    signal?: AbortSignal | undefined;
  }>;

/**
 * Compares all derived tables with the log, and the log with its hashes, the ledger and the anchors. One repeatable-read, read-only
 * transaction sees one state of the database, while purchases continue. Memory does not grow with the log. Read the anchors before, because
 * that state must not be older than they are.
 * @throws TablesInUse during a rebuild, because it exchanges a table for one that this snapshot cannot see
 */
export async function verify(pool: Pool, options: VerifyOptions = {}): Promise<Verification> {
  const { onProgress = () => undefined, signal, keys = new LedgerKeys([]), anchors = [], archive } = options;
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
    return await new Verifier(client, onProgress, { keys, anchors, ...(archive && { archive }) }).verify();
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

const ANY_PLAN = 'reset enable_seqscan; reset enable_bitmapscan; reset enable_hashjoin; reset enable_mergejoin';

class Verifier {
  readonly #differences = new Differences();
  readonly #checked: Checked = {
    streams: 0,
    events: 0,
    feed: 0,
    orders: 0,
    status_history: 0,
    ledger_entries: 0,
    disputes: 0,
    money_tasks: 0,
    pings: 0,
    ping_stream: 0,
    listings: 0,
    purchase_keys: 0,
    personal_data_keys: 0,
    audit_log: 0,
  };

  #tables = WRITTEN_TABLES;

  constructor(
    private readonly client: ClientBase,
    private readonly onProgress: OnProgress,
    private readonly proof: LedgerProof,
  ) {}

  async verify(): Promise<Verification> {
    if (await this.isLedgerFilling()) this.#tables = this.#tables.filter(({ name }) => name !== 'ledger_entries');
    await prepareScan(this.client);
    for await (const streams of scanStreams(this.client, this.proof.archive)) {
      await this.checkStreams(streams);
      await this.onProgress(this.#checked);
    }
    const archived = await this.checkArchive();
    await this.client.query(ENTRIES_BY_KEY);
    const ledger = await new LedgerCheck(this.client, this.proof, this.#differences).check(() =>
      this.onProgress(this.#checked),
    );
    await this.client.query(ANY_PLAN);
    for (const check of WHOLE_TABLE_CHECKS) {
      await this.onProgress(this.#checked);
      await this.checkWholeTable(check);
    }
    for (const table of ['feed', 'ping_stream', 'listings', 'audit_log'] as const) {
      const { rows } = await this.client.query<{ rows: string }>(`select count(*) as rows from ${table}`);
      this.#checked[table] = Number(rows[0]?.rows);
    }
    return {
      checked: this.#checked,
      ledger,
      archived,
      found: this.#differences.counts,
      differences: this.#differences.named,
    };
  }

  private async checkArchive(): Promise<number> {
    const { archive } = this.proof;
    return archive
      ? await checkArchive(this.client, archive, this.#differences, () => this.onProgress(this.#checked))
      : 0;
  }

  /** After an upgrade a worker still adds the rows of earlier events. */
  private async isLedgerFilling(): Promise<boolean> {
    const { rowCount } = await this.client.query('select from ledger_filling where done_at is null');
    return rowCount !== 0;
  }

  private async checkStreams(streams: readonly StoredStream[]): Promise<void> {
    const replays: Replay[] = [];
    for (const stream of streams) {
      this.#checked.streams += 1;
      this.#checked.events += stream.length;
      const broken = chainBreak(stream, this.proof.keys);
      if (broken) this.#differences.add(broken);
      const replayed = this.replay(stream);
      if (replayed) replays.push(replayed);
    }
    for (const table of this.#tables) {
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
