import type { Pool } from 'pg';
import { BoughtTogether } from '#discovery/bought-together';
import { StockStats } from '#discovery/stock-stats';
import { REBUILDABLE_PROJECTIONS, type RebuildableProjection } from './maintenance.contract.js';
import type { EventArchive } from '#event-store/event-archive';
import { logSize } from '#event-store/log-size';
import { fillWorkItems } from '#desk/work-item-filling';
import { rebuild, type RebuildProgress, type RebuildReport, TablesInUse } from '#orders/rebuild';
import { rebuildPingStream } from './maintenance/rebuild-ping-stream.js';
import type { Clock } from '#base/clock';
import { RunRefused, type RunProgress, type RunWork } from './maintenance-runner.js';

/** What a rebuild has read and written. `report` is of a projection that is filled from the log. */
export type Rebuilt = Readonly<{
  projection: RebuildableProjection;
  /** Events of the log; of stats the changes to work out; of recommendations and work queues the orders. */
  read: number;
  rows: number;
  ms: number;
  report?: RebuildReport;
}>;

/** `of` is 0 for work without a known end. */
export type RebuildStepProgress = Readonly<{ step: string; read: number; of: number }>;

/** `pool` is of the owner, without a statement time-out, with two free connections. */
export type RebuiltDatabase = Readonly<{ pool: Pool; archive?: EventArchive }>;

type OnProgress = (progress: RebuildStepProgress) => void;
type Rebuild = (
  database: RebuiltDatabase,
  clock: Clock,
  onProgress: OnProgress,
) => Promise<Omit<Rebuilt, 'projection' | 'ms'>>;

const fromLog =
  (
    make: (database: RebuiltDatabase, onProgress: (progress: RebuildProgress) => void) => Promise<RebuildReport>,
  ): Rebuild =>
  async (database, _clock, onProgress) => {
    const of = await logSize(database.pool);
    const report = await make(database, ({ step, events }) => onProgress({ step, read: events, of }));
    return { read: report.events, rows: report.rows, report };
  };

const ofTable = (table: Parameters<typeof rebuild>[1]): Rebuild =>
  fromLog(({ pool, archive }, onProgress) => rebuild(pool, table, onProgress, archive));

const REBUILDS: Readonly<Record<RebuildableProjection, Rebuild>> = {
  orders: ofTable('orders'),
  status_history: ofTable('status_history'),
  ledger_entries: async (database, clock, onProgress) => {
    const rebuilt = await ofTable('ledger_entries')(database, clock, onProgress);
    await database.pool.query('update ledger_filling set done_at = coalesce(done_at, now())');
    return rebuilt;
  },
  disputes: ofTable('disputes'),
  money_tasks: ofTable('money_tasks'),
  'ping-stream': fromLog(({ pool }, onProgress) => rebuildPingStream(pool, onProgress)),
  'work-queues': async ({ pool }, clock, onProgress) => {
    const { rows: counted } = await pool.query<{ count: number }>('select count(*)::int as count from orders');
    const of = counted[0]?.count ?? 0;
    const { orders, rows } = await fillWorkItems(pool, clock, (read) => onProgress({ step: 'working out', read, of }));
    return { read: orders, rows };
  },
  'discovery-stats': async ({ pool }, _clock, onProgress) => {
    let most = 0;
    const rows = await new StockStats(pool).rebuild((left) => {
      most = Math.max(most, left);
      onProgress({ step: 'working out', read: most - left, of: most });
    });
    return { read: most, rows };
  },
  recommendations: async ({ pool }, clock, onProgress) => {
    const { orders, pairs } = await new BoughtTogether(pool, clock).rebuild((found) =>
      onProgress({ step: 'working out', read: found, of: 0 }),
    );
    return { read: orders, rows: pairs };
  },
};

/** The projections that a rebuild of this name does, in order. */
function projectionsOf(name: RebuildableProjection | 'all'): readonly RebuildableProjection[] {
  return name === 'all' ? REBUILDABLE_PROJECTIONS : [name];
}

/** @throws TablesInUse */
async function rebuildProjection(
  database: RebuiltDatabase,
  clock: Clock,
  projection: RebuildableProjection,
  onProgress: OnProgress,
): Promise<Rebuilt> {
  const startedAt = clock.monotonic();
  const made = await REBUILDS[projection](database, clock, onProgress);
  return { projection, ...made, ms: clock.monotonic() - startedAt };
}

/** The work of a run that rebuilds. Each projection is an equal part of the whole. */
export function rebuildWork(
  database: RebuiltDatabase,
  clock: Clock,
  onRebuilt: (rebuilt: Rebuilt) => void = () => undefined,
  onProgress: (projection: RebuildableProjection, progress: RebuildStepProgress) => void = () => undefined,
): RunWork {
  return async ({ projection: name }, report) => {
    const rebuilt: Rebuilt[] = [];
    const wanted = projectionsOf(name ?? 'all');
    for (const projection of wanted) {
      const made = await rebuildProjection(database, clock, projection, (progress) => {
        onProgress(projection, progress);
        report(partOf(progress, projection, rebuilt.length, wanted.length));
      }).catch((error: unknown) => {
        throw error instanceof TablesInUse ? new RunRefused(error.message, { cause: error }) : error;
      });
      onRebuilt(made);
      rebuilt.push(made);
    }
    return { rebuilt: rebuilt.map(({ projection, rows, ms }) => ({ projection, rows, seconds: ms / 1_000 })) };
  };
}

// A projection without a known end moves the whole only when it is done.
const PART = 1_000_000;

function partOf(progress: RebuildStepProgress, projection: string, before: number, parts: number): RunProgress {
  const { step, read, of } = progress;
  const named = parts > 1 ? `${projection}: ${step}` : step;
  if (parts === 1) return { step: named, done: Math.min(read, of), total: of };
  const share = of === 0 ? 0 : Math.min(1, read / of);
  return { step: named, done: Math.round((before + share) * PART), total: parts * PART };
}
