import { Argument, Command } from 'commander';
import type { Pool } from 'pg';
import { SystemClock } from '#runtime/clock';
import { BoughtTogether } from '#catalogue/bought-together';
import { StockStats } from '#catalogue/stock-stats';
import { logSize } from '#event-store/log-size';
import { rebuildPingStream } from '#ping-stream/rebuild-ping-stream';
import { rebuild, type RebuildProgress, type RebuildReport, TablesInUse } from '#orders/read-models/rebuild';
import { REBUILDABLE, type Rebuildable } from '#orders/read-models/rebuildable';
import { count, ProgressLine, progressOf } from './terminal/progress-line.js';
import { UserError } from './terminal/user-error.js';
import { poolFor, type UsePool } from './database/with-pool.js';

const TICK_MS = 200;

type Rebuild = (pool: Pool, onProgress: (progress: RebuildProgress) => void) => Promise<RebuildReport>;

/** Everything that can be rebuilt from the log, by the name that users type. */
const REBUILDS: ReadonlyMap<string, Rebuild> = new Map([
  ...(Object.keys(REBUILDABLE) as Rebuildable[]).map((table): [string, Rebuild] => [
    table,
    (pool, onProgress) => rebuild(pool, table, onProgress),
  ]),
  ['ping-stream', rebuildPingStream],
]);

// Derived from the listings, which are not in the log. These columns are recomputed in place.
const STATS = 'discovery-stats';
// Derived from orders and the catalogue; recomputed in place too.
const RECOMMENDATIONS = 'recommendations';

const IN_PLACE: ReadonlyMap<string, (pool: Pool) => Promise<void>> = new Map([
  [STATS, rebuildStats],
  [RECOMMENDATIONS, rebuildRecommendations],
]);

/** `projections rebuild <table>|all`: rebuilds read models from the log. */
export function projectionsCommand(use: UsePool = poolFor('rebuild', { asOwner: true })): Command {
  const rebuildCommand = new Command('rebuild')
    .description('rebuilds a table from the log and swaps it in, while everything runs')
    .addArgument(new Argument('<table>', 'which one').choices([...REBUILDS.keys(), ...IN_PLACE.keys(), 'all']))
    .action(async (name: string) => {
      const wanted = [...REBUILDS].filter(([table]) => name === 'all' || name === table);
      if (wanted.length > 0) await rebuildTables(wanted, use);
      for (const [made, make] of IN_PLACE) if (name === 'all' || name === made) await use(make);
    });
  return new Command('projections')
    .description('the read models, which are derived from the event log')
    .addCommand(rebuildCommand);
}

async function rebuildTables(rebuilds: readonly [string, Rebuild][], use: UsePool): Promise<void> {
  await use(async (pool) => {
    for (const [table, make] of rebuilds) {
      const line = new ProgressLine();
      try {
        const total = await logSize(pool);
        const startedAt = performance.now();
        const report = await make(pool, ({ step, events }) => {
          const progress = progressOf(events, total, 'events', performance.now() - startedAt);
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
  const startedAt = performance.now();
  const events = await new StockStats(pool)
    .rebuild((left) => line.show(`${STATS}: ${count(left)} changes to work out`))
    .finally(() => line.clear());
  console.log(`${STATS}: ${count(events)} events in ${seconds(performance.now() - startedAt)} s`);
}

/** This is a single SQL statement without progress, so the line only shows the elapsed time. */
async function rebuildRecommendations(pool: Pool): Promise<void> {
  const line = new ProgressLine();
  const startedAt = performance.now();
  let ticking: NodeJS.Timeout | undefined;
  const { orders, pairs } = await new BoughtTogether(pool, new SystemClock())
    .rebuild((found) => {
      const show = () =>
        line.show(
          `${RECOMMENDATIONS}: who buys together, of ${count(found)} orders, ${seconds(performance.now() - startedAt)} s`,
        );
      show();
      ticking = setInterval(show, TICK_MS);
    })
    .finally(() => {
      clearInterval(ticking);
      line.clear();
    });
  console.log(
    `${RECOMMENDATIONS}: ${count(pairs)} rows from ${count(orders)} orders in ${seconds(performance.now() - startedAt)} s`,
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
