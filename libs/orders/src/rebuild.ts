import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { EventArchive } from '#event-store/event-archive';
import { prepareScan } from '#event-store/stream-scan';
import { ChangedStreams } from './read-models/changed-streams.js';
import type { Rebuildable } from './read-models/rebuildable.js';
import { REBUILD_SCHEMA, SecondTable } from './second-table.js';
import { type ReadLog, TableFilling } from './read-models/table-filling.js';

type RebuildStep = 'filling' | 'indexing' | 'catching up' | 'swapping';
export type RebuildProgress = Readonly<{ step: RebuildStep; events: number }>;

export type RebuildReport = Readonly<{
  /** Events read during the fill, without later ones. */
  events: number;
  rows: number;
  fillMs: number;
  indexMs: number;
  /** The longest time that a writer may have waited for the exchange. */
  swapMs: number;
  totalMs: number;
}>;

/** Another process uses these tables. The message says which. */
export class TablesInUse extends Error {}

/** A comparison of whole tables shares this lock, because tables must not be exchanged during it. */
export const REBUILD_LOCK = 8144;

// The remaining work while writers wait; it takes about 20 ms.
const FEW_STREAMS = 200;
// Four minutes to find a moment without a long transaction of another session, such as a dump.
const SWAP_TRIES = 120;
const BETWEEN_TRIES_MS = 2_000;

/**
 * Fills a second table from the log and exchanges it with the live one, while reads and writes continue. The pool must belong to the owner,
 * have no statement timeout and give two connections.
 * @throws TablesInUse and changes nothing
 */
export async function rebuild(
  pool: Pool,
  table: Rebuildable,
  onProgress: (progress: RebuildProgress) => void = () => undefined,
  archive?: EventArchive,
): Promise<RebuildReport> {
  const reader = await pool.connect();
  try {
    await prepareScan(reader);
    return await asOnlyRebuild(pool, (writer) => {
      return fillAndExchange(writer, { client: reader, archive }, table, onProgress);
    });
  } finally {
    // Closing the connection also drops its settings.
    reader.release(true);
  }
}

/** Removes the partial result when the work fails. @throws TablesInUse */
export async function asOnlyRebuild<T>(pool: Pool, work: (writer: ClientBase) => Promise<T>): Promise<T> {
  const writer = await pool.connect();
  try {
    const { rows } = await writer.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [REBUILD_LOCK]);
    if (!rows[0]?.free) throw new TablesInUse('Another rebuild or verification is running: try again when it is done.');
    await writer.query(`set synchronous_commit = off; set maintenance_work_mem = '128MB'`);
    try {
      const result = await work(writer);
      // Without this, the lock would outlive the connection for a moment and block the next rebuild.
      await writer.query('select pg_advisory_unlock($1)', [REBUILD_LOCK]);
      return result;
    } catch (error) {
      await writer.query(`drop schema if exists ${REBUILD_SCHEMA} cascade`).catch(() => undefined);
      throw error;
    }
  } finally {
    // Closing the connection drops its settings, and the lock if the work failed.
    writer.release(true);
  }
}

async function fillAndExchange(
  writer: ClientBase,
  log: ReadLog,
  table: Rebuildable,
  onProgress: (progress: RebuildProgress) => void,
): Promise<RebuildReport> {
  const startedAt = performance.now();
  const second = await SecondTable.beside(writer, table);
  const changed = await ChangedStreams.begin(writer);
  const filling = new TableFilling(writer, log, table, second.name);
  const { events, rows } = await filling.fill((read) => onProgress({ step: 'filling', events: read }));
  const filled = performance.now();
  onProgress({ step: 'indexing', events });
  await second.complete();
  const indexed = performance.now();
  onProgress({ step: 'catching up', events });
  await filling.catchUp(changed, FEW_STREAMS);
  onProgress({ step: 'swapping', events });
  const swapMs = await exchange(second, async (left) => {
    await filling.catchUp(changed, left);
    // Nobody writes any more when nothing may be left.
    if (left === 0) await filling.keep();
  });
  const ended = performance.now();
  return { events, rows, fillMs: filled - startedAt, indexMs: indexed - filled, swapMs, totalMs: ended - startedAt };
}

/** Returns the longest wait of a writer, in milliseconds. */
export async function exchange(second: SecondTable, catchUp: (left: number) => Promise<void>): Promise<number> {
  for (let attempt = 1; attempt <= SWAP_TRIES; attempt += 1) {
    const startedAt = performance.now();
    if (await second.replaceFirst(() => catchUp(0))) return performance.now() - startedAt;
    await sleep(BETWEEN_TRIES_MS);
    await catchUp(FEW_STREAMS);
  }
  throw new TablesInUse('A long transaction kept using the table: try again when it is over.');
}
