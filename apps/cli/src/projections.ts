import { Argument, Command } from 'commander';
import type { Pool } from 'pg';
import { REBUILDABLE_PROJECTIONS, type RebuildableProjection } from '#upkeep/maintenance.contract';
import { MaintenanceBusy, MaintenanceRunner, RunCancelled, RunRefused } from '#upkeep/maintenance-runner';
import { type Rebuilt, type RebuildStepProgress, rebuildWork } from '#upkeep/rebuilds';
import type { RebuildReport } from '#orders/rebuild';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { commandActor, recordChange } from './audit.js';
import { count, ProgressLine, progressOf } from './terminal/progress-line.js';
import { UserError } from './terminal/user-error.js';
import { knownArchive } from './database/known-archive.js';
import { poolFor, type UsePool } from './database/with-pool.js';

const TICK_MS = 200;

type RebuildName = RebuildableProjection | 'all';
const NAMES: readonly RebuildName[] = [...REBUILDABLE_PROJECTIONS, 'all'];

/** `projections rebuild <table>|all`: rebuilds read models from the log. */
export function projectionsCommand(use: UsePool = poolFor('rebuild', { asOwner: true })): Command {
  const rebuildCommand = new Command('rebuild')
    .description(
      "rebuilds a table from the log and swaps it in, with the owner's login (MIGRATION_DATABASE_URL), while everything runs",
    )
    .addArgument(new Argument('<table>', 'which one').choices(NAMES))
    .action(async (name: RebuildName) => use((pool) => rebuildNow(pool, name)));
  return new Command('projections')
    .description('the read models, which are derived from the event log')
    .addCommand(rebuildCommand);
}

async function rebuildNow(pool: Pool, projection: RebuildName): Promise<void> {
  const lines = new RebuildLines();
  const work = rebuildWork(
    { pool, archive: knownArchive() },
    new SystemClock(),
    (rebuilt) => lines.print(rebuilt),
    (one, progress) => lines.show(one, progress),
  );
  const wanted = { kind: 'rebuild', projection } as const;
  const runner = new MaintenanceRunner(pool, new TimeOrderedIds());
  await runner
    .runNow(wanted, commandActor(), async (run, ...rest) => {
      await recordChange(pool, 'maintenance.requested', `maintenance:${run.id}`, { detail: wanted });
      return await work(run, ...rest);
    })
    .catch((error: unknown) => {
      const isRefusal = [MaintenanceBusy, RunCancelled, RunRefused].some((kind) => error instanceof kind);
      throw isRefusal ? new UserError((error as Error).message) : error;
    })
    .finally(() => lines.clear());
}

/** The progress of a rebuild on the terminal, and a line for each projection that is done. */
class RebuildLines {
  private readonly line = new ProgressLine();
  private projection: RebuildableProjection | undefined;
  private startedAt = performance.now();
  private ticking: NodeJS.Timeout | undefined;

  show(projection: RebuildableProjection, progress: RebuildStepProgress): void {
    if (this.projection !== projection) this.startedAt = performance.now();
    this.projection = projection;
    clearInterval(this.ticking);
    const show = () => this.line.show(`${projection}: ${progressText(projection, progress, this.elapsedMs())}`);
    show();
    // A single SQL statement without progress, so the line only shows the elapsed time.
    if (projection === 'recommendations') this.ticking = setInterval(show, TICK_MS);
  }

  print(rebuilt: Rebuilt): void {
    this.clear();
    console.log(`${rebuilt.projection}: ${summary(rebuilt)}`);
  }

  clear(): void {
    clearInterval(this.ticking);
    this.line.clear();
  }

  private elapsedMs(): number {
    return performance.now() - this.startedAt;
  }
}

function progressText(projection: RebuildableProjection, progress: RebuildStepProgress, elapsedMs: number): string {
  const { step, read, of } = progress;
  switch (projection) {
    case 'discovery-stats':
      return `${count(of - read)} changes to work out`;
    case 'work-queues':
      return `open orders, of ${progressOf(read, of, 'orders', elapsedMs)}`;
    case 'recommendations':
      return `who buys together, of ${count(read)} orders, ${seconds(elapsedMs)} s`;
    default:
      return `${step}, ${step === 'filling' ? progressOf(read, of, 'events', elapsedMs) : `${count(read)} events`}`;
  }
}

function summary({ projection, rows, read, ms, report }: Rebuilt): string {
  if (report) return logSummary(report);
  if (projection === 'discovery-stats') return `${count(rows)} events in ${seconds(ms)} s`;
  return `${count(rows)} rows from ${count(read)} orders in ${seconds(ms)} s`;
}

function logSummary({ events, rows, fillMs, indexMs, swapMs, totalMs }: RebuildReport): string {
  const rate = count(totalMs === 0 ? 0 : (events / totalMs) * 1_000);
  return (
    `${count(rows)} rows from ${count(events)} events in ${seconds(totalMs)} s, ${rate} events a second ` +
    `(filling ${seconds(fillMs)} s, indexes ${seconds(indexMs)} s, exchange ${count(swapMs)} ms)`
  );
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
