import type { ClientBase, Pool } from 'pg';
import { LedgerKeys } from '#event-store/hash-chain';
import { ENTRIES_BY_KEY } from '#event-store/feed-head';
import { prepareScan, scanStreams, type StoredStream } from '#event-store/stream-scan';
import { REBUILD_LOCK, TablesInUse } from '#orders/rebuild';
import { checkArchive } from './archive/archive-check.js';
import { Differences, type Found, NAMED_OF_A_KIND } from './differences.js';
import { type Checkpoint, STAGES } from './verification-checkpoints.js';
import { chainBreak } from './verification/hash-chains.js';
import { LedgerCheck, type LedgerProgress, type LedgerProof, type LedgerResult } from './ledger-check.js';
import { type Replay, replay, WRITTEN_TABLES, type WrittenTable } from './verification/replay.js';
import { comparePurchaseKeys, compareRows } from './verification/table-comparison.js';
import { WHOLE_TABLE_CHECKS, type WholeTableCheck } from './verification/whole-table-checks.js';

/** Numbers of checked rows. */
type Checked = Record<
  'streams' | 'events' | 'feed' | 'ping_stream' | 'listings' | 'audit_log' | 'purchase_keys' | WrittenTable['name'],
  number
>;

/** Without differences when all is well. */
export type Verification = Found &
  Readonly<{
    checked: Checked;
    ledger: LedgerResult;
    /** Files of the archive. */
    archived: number;
  }>;

export type VerifyOptions = Partial<LedgerProof> &
  Readonly<{
    /** Called after every few hundred events, and before each check of whole tables. The verification waits for the promise. */
    onProgress?: (checked: Readonly<Checked>) => void | Promise<void>;
    /** Called before each part, with what was found until then. */
    onCheckpoint?: (checkpoint: Checkpoint) => Promise<void>;
    /** Leaves out what an earlier verification has compared. */
    from?: Checkpoint | undefined;
    /** How many events one snapshot is kept for. */
    eventsAPart?: number;
    /** Ends the connection, so the verification fails at once. */
    signal?: AbortSignal | undefined;
  }>;

// Ten seconds or so. A snapshot that is kept for hours would keep autovacuum from its work, and as much would be repeated.
const EVENTS_A_PART = 100_000;

/**
 * Compares all derived tables with the log, and the log with its hashes, the ledger and the anchors, while purchases continue. It goes
 * part by part: each sees one state of the database, in a repeatable-read, read-only transaction. Memory does not grow with the log. Read the
 * anchors before, because no part may see a state older than they are.
 * @throws TablesInUse during a rebuild, because it exchanges a table for one that a snapshot cannot see
 */
export async function verify(pool: Pool, options: VerifyOptions = {}): Promise<Verification> {
  const { signal } = options;
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
    return await new Verifier(client, options).verify();
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

const BEGIN = 'begin isolation level repeatable read read only';
const ANY_PLAN = 'reset enable_seqscan; reset enable_bitmapscan; reset enable_hashjoin; reset enable_mergejoin';

class Verifier {
  readonly #differences: Differences;
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

  readonly #proof: LedgerProof;
  readonly #eventsAPart: number;
  #stage: Checkpoint['stage'];
  #after: string;
  #ledger: LedgerProgress | null;
  #proved: LedgerResult | null;
  #archived: number;
  #tables = WRITTEN_TABLES;

  constructor(
    private readonly client: ClientBase,
    private readonly options: VerifyOptions,
  ) {
    const { keys = new LedgerKeys([]), from, eventsAPart = EVENTS_A_PART } = options;
    this.#proof = { ...options, keys };
    this.#eventsAPart = eventsAPart;
    this.#differences = new Differences(from);
    Object.assign(this.#checked, from?.checked);
    this.#stage = from?.stage ?? 'streams';
    this.#after = from?.after ?? '';
    this.#ledger = from?.ledger ?? null;
    this.#proved = from?.proved ?? null;
    this.#archived = from?.archived ?? 0;
  }

  async verify(): Promise<Verification> {
    if (await this.isLedgerFilling()) this.#tables = this.#tables.filter(({ name }) => name !== 'ledger_entries');
    await prepareScan(this.client);
    await this.beginPart();
    if (this.#stage === 'streams') await this.checkLog();
    if (this.#stage === 'archive') await this.checkArchive();
    await this.client.query(ENTRIES_BY_KEY);
    const ledger = (this.#proved ??= await this.checkLedger());
    if (this.#stage === 'ledger') await this.endStage();
    await this.client.query(ANY_PLAN);
    await this.checkTables();
    return { checked: this.#checked, ledger, archived: this.#archived, ...this.#differences.all };
  }

  private async endPart(): Promise<void> {
    await this.client.query('commit');
    await this.beginPart();
  }

  private async beginPart(): Promise<void> {
    await this.options.onCheckpoint?.({
      stage: this.#stage,
      after: this.#after,
      ledger: this.#ledger,
      proved: this.#proved,
      archived: this.#archived,
      checked: this.#checked,
      ...this.#differences.all,
    });
    await this.client.query(BEGIN);
  }

  private async endStage(): Promise<void> {
    this.#stage = STAGES[STAGES.indexOf(this.#stage) + 1] ?? 'tables';
    this.#after = '';
    await this.endPart();
  }

  private async onProgress(): Promise<void> {
    await this.options.onProgress?.(this.#checked);
  }

  private async checkLog(): Promise<void> {
    while (await this.checkPart()) await this.endPart();
    await this.endStage();
  }

  /** Returns whether there may be more. The scan reads ahead, so each part begins another one. */
  private async checkPart(): Promise<boolean> {
    const until = this.#checked.events + this.#eventsAPart;
    for await (const streams of scanStreams(this.client, this.#proof.archive, this.#after)) {
      await this.checkStreams(streams);
      this.#after = streams.at(-1)?.[0].stream ?? this.#after;
      await this.onProgress();
      if (this.#checked.events >= until) return true;
    }
    return false;
  }

  private async checkArchive(): Promise<void> {
    const { archive } = this.#proof;
    for await (const key of archive ? checkArchive(this.client, archive, this.#differences, this.#after) : []) {
      this.#archived += 1;
      this.#after = key;
      await this.onProgress();
      await this.endPart();
    }
    await this.endStage();
  }

  private async checkLedger(): Promise<LedgerResult> {
    const check = new LedgerCheck(this.client, this.#proof, this.#differences, this.#ledger);
    let until = (this.#ledger?.position ?? 0) + this.#eventsAPart;
    return await check.check(async () => {
      await this.onProgress();
      if (check.progress.position < until) return;
      this.#ledger = check.progress;
      until = this.#ledger.position + this.#eventsAPart;
      await this.endPart();
    });
  }

  private async checkTables(): Promise<void> {
    for (const [index, check] of WHOLE_TABLE_CHECKS.entries()) {
      if (index < Number(this.#after)) continue;
      await this.onProgress();
      await this.checkWholeTable(check);
      this.#after = String(index + 1);
      await this.endPart();
    }
    for (const table of ['feed', 'ping_stream', 'listings', 'audit_log'] as const) {
      const { rows } = await this.client.query<{ rows: string }>(`select count(*) as rows from ${table}`);
      this.#checked[table] = Number(rows[0]?.rows);
    }
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
      const broken = chainBreak(stream, this.#proof.keys);
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
