import { Argument, Command } from 'commander';
import type { Pool } from 'pg';
import { SystemClock } from '#runtime/clock';
import { BoughtTogether } from '#catalogue/bought-together';
import { StockStats } from '#catalogue/stock-stats';
import { logSize } from '#event-store/log-size';
import { rebuildPingStream } from '#ping-stream/rebuild-ping-stream';
import { rebuild, type RebuildProgress, type RebuildReport, TablesInUse } from '#orders/read-models/rebuild';
import { REBUILDABLE, type Rebuildable } from '#orders/read-models/rebuildable';
import { count, ProgressLine, progressOf } from './progress-line.js';
import { UserError } from './user-error.js';
import { poolFor, type UsePool } from './with-pool.js';

const TICK_MS = 200;

type Rebuild = (pool: Pool, onProgress: (progress: RebuildProgress) => void) => Promise<RebuildReport>;

/** Everything that can be made anew, by the names that people type. */
const REBUILDS: ReadonlyMap<string, Rebuild> = new Map([
  ...(Object.keys(REBUILDABLE) as Rebuildable[]).map((table): [string, Rebuild] => [
    table,
    (pool, onProgress) => rebuild(pool, table, onProgress),
  ]),
  ['ping-stream', rebuildPingStream],
]);

// Made of the listings, which are no events of the log: columns of the catalogue's events, that are worked out in place.
const STATS = 'discovery-stats';
// A table made of orders and of the catalogue: worked out in place, too.
const RECOMMENDATIONS = 'recommendations';

const IN_PLACE: ReadonlyMap<string, (pool: Pool) => Promise<void>> = new Map([
  [STATS, rebuildStats],
  [RECOMMENDATIONS, rebuildRecommendations],
]);

/** `projections rebuild <table>|all`: read models made anew from the log. */
export function projectionsCommand(use: UsePool = poolFor('rebuild', { asOwner: true })): Command {
  const rebuildCommand = new Command('rebuild')
    .description('fills a table anew from the log and puts it in the place of the old one, while everything runs')
    .addArgument(new Argument('<table>', 'which one').choices([...REBUILDS.keys(), ...IN_PLACE.keys(), 'all']))
    .action(async (name: string) => {
      const wanted = [...REBUILDS].filter(([table]) => name === 'all' || name === table);
      if (wanted.length > 0) await rebuildTables(wanted, use);
      for (const [made, make] of IN_PLACE) if (name === 'all' || name === made) await use(make);
    });
  return new Command('projections').description('what is read, made from the log of events').addCommand(rebuildCommand);
}

async function rebuildTables(rebuilds: readonly [string, Rebuild][], use: UsePool): Promise<void> {
  await use(async (pool) => {
    for (const [table, make] of rebuilds) {
      const line = new ProgressLine();
      try {
        const total = await logSize(pool);
        const began = performance.now();
        const report = await make(pool, ({ step, events }) => {
          const progress = progressOf(events, total, 'events', performance.now() - began);
          line.show(`${table}: ${step}, ${step === 'filling' ? progress : `${count(events)} events`}`);
        });
        line.clear();
        console.log(`${table}: ${summary(report)}`);
      } catch (error) {
        line.clear();
        throw error instanceof TablesInUse ? new UserError(error.message) : error;
      }
    }
  });
}

async function rebuildStats(pool: Pool): Promise<void> {
  const line = new ProgressLine();
  const began = performance.now();
  const events = await new StockStats(pool)
    .rebuild((left) => line.show(`${STATS}: ${count(left)} changes to work out`))
    .finally(() => line.clear());
  console.log(`${STATS}: ${count(events)} events in ${seconds(performance.now() - began)} s`);
}

/** One statement of the database, which tells of itself when it is done: the line shows that time passes. */
async function rebuildRecommendations(pool: Pool): Promise<void> {
  const line = new ProgressLine();
  const began = performance.now();
  let ticking: NodeJS.Timeout | undefined;
  const { orders, pairs } = await new BoughtTogether(pool, new SystemClock())
    .rebuild((found) => {
      const show = () =>
        line.show(
          `${RECOMMENDATIONS}: who buys together, of ${count(found)} orders, ${seconds(performance.now() - began)} s`,
        );
      show();
      ticking = setInterval(show, TICK_MS);
    })
    .finally(() => {
      clearInterval(ticking);
      line.clear();
    });
  console.log(
    `${RECOMMENDATIONS}: ${count(pairs)} rows from ${count(orders)} orders in ${seconds(performance.now() - began)} s`,
  );
}

function summary({ events, rows, fillMs, indexMs, swapMs, totalMs }: RebuildReport): string {
  const rate = count(totalMs === 0 ? 0 : (events / totalMs) * 1_000);
  return (
    `${count(rows)} rows from ${count(events)} events in ${seconds(totalMs)} s, ${rate} events a second ` +
    `(filling ${seconds(fillMs)} s, indexes ${seconds(indexMs)} s, exchange ${count(swapMs)} ms)`
  );
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
