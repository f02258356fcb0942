import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { prepareScan } from '#event-store/stream-scan';
import { ChangedStreams } from './changed-streams.js';
import type { Rebuildable } from './rebuildable.js';
import { REBUILD_SCHEMA, SecondTable } from './second-table.js';
import { TableFilling } from './table-filling.js';

export type RebuildStep = 'filling' | 'indexing' | 'catching up' | 'swapping';
export type RebuildProgress = Readonly<{ step: RebuildStep; events: number }>;

export type RebuildReport = Readonly<{
  /** Read while it was filled; what came later is not counted. */
  events: number;
  rows: number;
  fillMs: number;
  indexMs: number;
  /** How long the exchange made writers wait at most. */
  swapMs: number;
  totalMs: number;
}>;

/** Somebody else works with these tables just now; the message says who. */
export class TablesInUse extends Error {}

/** A rebuild holds this advisory lock; who compares whole tables shares it, as theirs must not be exchanged meanwhile. */
export const REBUILD_LOCK = 8144;

// What may be left to do while writers wait: it takes some 20 ms.
const FEW_STREAMS = 200;
// Four minutes in which to find a moment that no long transaction of somebody else (such as a dump) covers.
const SWAP_TRIES = 120;
const BETWEEN_TRIES_MS = 2_000;

/**
 * Fills a second table from the log beside the one that is served and exchanges the two, while reading and writing go on.
 * Writes nothing but this table. The pool is the owner's, without a statement time-out, and gives two connections.
 * @throws TablesInUse, and then nothing has changed.
 */
export async function rebuild(
  pool: Pool,
  table: Rebuildable,
  onProgress: (progress: RebuildProgress) => void = () => undefined,
): Promise<RebuildReport> {
  const reader = await pool.connect();
  try {
    await prepareScan(reader);
    return await asOnlyRebuild(pool, (writer) => fillAndExchange(writer, reader, table, onProgress));
  } finally {
    // Its settings end with it.
    reader.release(true);
  }
}

/**
 * Lets nobody else rebuild or verify meanwhile, and clears away what was made when the work fails.
 * @throws TablesInUse
 */
export async function asOnlyRebuild<T>(pool: Pool, work: (writer: ClientBase) => Promise<T>): Promise<T> {
  const writer = await pool.connect();
  try {
    const { rows } = await writer.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [REBUILD_LOCK]);
    if (!rows[0]?.free)
      throw new TablesInUse('Another rebuild or a verification is at work: try again when it is done.');
    await writer.query(`set synchronous_commit = off; set maintenance_work_mem = '128MB'`);
    try {
      const result = await work(writer);
      // Its end with the connection takes a moment, in which the next rebuild would find it taken.
      await writer.query('select pg_advisory_unlock($1)', [REBUILD_LOCK]);
      return result;
    } catch (error) {
      await writer.query(`drop schema if exists ${REBUILD_SCHEMA} cascade`).catch(() => undefined);
      throw error;
    }
  } finally {
    // Its settings end with it, and the lock where the work failed.
    writer.release(true);
  }
}

async function fillAndExchange(
  writer: ClientBase,
  reader: ClientBase,
  table: Rebuildable,
  onProgress: (progress: RebuildProgress) => void,
): Promise<RebuildReport> {
  const began = performance.now();
  const second = await SecondTable.beside(writer, table);
  const changed = await ChangedStreams.begin(writer);
  const filling = new TableFilling(writer, reader, table, second.name);
  const { events, rows } = await filling.fill((read) => onProgress({ step: 'filling', events: read }));
  const filled = performance.now();
  onProgress({ step: 'indexing', events });
  await second.complete();
  const indexed = performance.now();
  onProgress({ step: 'catching up', events });
  await filling.catchUp(changed, FEW_STREAMS);
  onProgress({ step: 'swapping', events });
  const swapMs = await exchange(second, (left) => filling.catchUp(changed, left));
  const ended = performance.now();
  return { events, rows, fillMs: filled - began, indexMs: indexed - filled, swapMs, totalMs: ended - began };
}

/** Puts the second table in the place of the first. Returns for how long writers may have waited, in milliseconds. */
export async function exchange(second: SecondTable, catchUp: (left: number) => Promise<void>): Promise<number> {
  for (let attempt = 1; attempt <= SWAP_TRIES; attempt += 1) {
    const began = performance.now();
    if (await second.replaceFirst(() => catchUp(0))) return performance.now() - began;
    await sleep(BETWEEN_TRIES_MS);
    await catchUp(FEW_STREAMS);
  }
  throw new TablesInUse('The table was in use without a pause by a long transaction: try again when it is over.');
}
