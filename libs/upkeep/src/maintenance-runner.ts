import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { MaintenanceRun, NewMaintenanceRun } from './maintenance.contract.js';
import { LOCK_SESSION_TIMEOUTS, lockKey } from '#database/advisory-lock';
import type { Ids } from '#base/ids';
import { stringifyJson } from '#base/json';
import {
  BEGIN,
  CLAIM,
  CLOSE_INTERRUPTED,
  FINISH,
  INTERRUPTED,
  IS_WAITING,
  MAINTENANCE_LOCK,
  PRUNE,
  REPORT,
  type RunResult,
} from './maintenance/run-statements.js';

export type RunProgress = Readonly<{ step: string; done: number; total: number }>;

/** @param report throws once the run is to end. `signal` is aborted then, too. */
export type RunWork = (
  run: ClaimedRun,
  report: (progress: RunProgress) => void,
  signal: AbortSignal,
) => Promise<RunResult>;

/** Some kinds nobody can ask for. */
export type RunRequest = Readonly<Pick<MaintenanceRun, 'kind'> & { projection?: NewMaintenanceRun['projection'] }>;

export type ClaimedRun = Readonly<Pick<MaintenanceRun, 'id' | 'kind' | 'projection'>>;

/** Another run is in progress. */
export class MaintenanceBusy extends Error {}

/** Somebody cancelled the run. */
export class RunCancelled extends Error {}

/** Its message may be shown to people; that of other errors may not. */
export class RunRefused extends Error {}

const REPORT_EVERY_MS = 500;
const STOPPED = 'The process that worked on it was stopped. Start it again.';
const FAILED = 'It failed unexpectedly. The log of the process that worked on it says why.';

/** Does maintenance runs, one at a time in all processes, and records their progress. */
export class MaintenanceRunner {
  /** @param pool gives one connection for the run, besides those that the work needs */
  constructor(
    private readonly pool: Pool,
    private readonly ids: Ids,
  ) {}

  /**
   * Takes the run of this kind that waits, and returns when it has ended. Returns false if none waits or another run is at work.
   * @param stop ends the work, which then counts as failed
   * @throws what the work throws, except for a cancelled run and a `RunRefused`
   */
  async runRequested(kind: NewMaintenanceRun['kind'], work: RunWork, stop?: AbortSignal): Promise<boolean> {
    if (!(await this.isRequested(kind))) return false;
    return await this.withLock(async (client) => {
      const { rows } = await client.query<ClaimedRun>(CLAIM, [kind, null]);
      if (!rows[0]) return false;
      await this.perform(client, rows[0], work, stop).catch((error: unknown) => {
        if (!(error instanceof RunCancelled || error instanceof RunRefused)) throw error;
      });
      return true;
    }, false);
  }

  /**
   * Does a run now, and takes the one that waits if it asks for the same.
   * @throws MaintenanceBusy if another run is at work, RunCancelled, and what the work throws
   */
  async runNow({ kind, projection }: RunRequest, actor: string, work: RunWork, stop?: AbortSignal): Promise<void> {
    await this.withLock(async (client) => {
      const claimed = await client.query<ClaimedRun>(CLAIM, [kind, projection ?? null]);
      const values = [this.ids.next('run'), kind, projection ?? null, actor];
      const run = claimed.rows[0] ?? (await client.query<ClaimedRun>(BEGIN, values)).rows[0];
      if (run) await this.perform(client, run, work, stop);
      return true;
    });
  }

  /** Cheap, for a process that asks every few seconds. */
  async isRequested(kind: NewMaintenanceRun['kind']): Promise<boolean> {
    const { rowCount } = await this.pool.query(`select from maintenance_runs where kind = $1 and ${IS_WAITING}`, [
      kind,
    ]);
    return rowCount !== 0;
  }

  private async withLock(work: (client: PoolClient) => Promise<boolean>, busy?: boolean): Promise<boolean> {
    const client = await this.pool.connect();
    try {
      await client.query(LOCK_SESSION_TIMEOUTS);
      const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
        lockKey(MAINTENANCE_LOCK),
      ]);
      if (!rows[0]?.free) {
        if (busy !== undefined) return busy;
        throw new MaintenanceBusy('Another rebuild or verification is running: try again when it is done.');
      }
      await client.query(CLOSE_INTERRUPTED, [INTERRUPTED]);
      const result = await work(client);
      // Otherwise the lock would outlive the connection for a moment.
      await client.query('select pg_advisory_unlock($1)', [lockKey(MAINTENANCE_LOCK)]).catch(() => undefined);
      return result;
    } finally {
      // Closing the connection drops its settings, and the lock if something failed.
      client.release(true);
    }
  }

  private async perform(client: PoolClient, run: ClaimedRun, work: RunWork, stop?: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const stopped = () => ending.abort(new RunRefused(STOPPED));
    if (stop?.aborted) stopped();
    stop?.addEventListener('abort', stopped, { once: true });
    let latest: RunProgress = { step: 'starting', done: 0, total: 0 };
    const over = new AbortController();
    const reporting = this.reportUntil(over.signal, client, run.id, () => latest, ending);
    try {
      const report = (progress: RunProgress) => {
        latest = progress;
        ending.signal.throwIfAborted();
      };
      const result = await work(run, report, ending.signal).finally(async () => {
        over.abort();
        await reporting;
      });
      await client.query(REPORT, [run.id, latest.step, latest.done, latest.total]);
      await client.query(FINISH, [run.id, 'done', stringifyJson(result), null]);
      await client.query(PRUNE);
    } catch (error) {
      // The error of the work may only be a consequence of the end of the run.
      const reason: unknown = ending.signal.aborted ? ending.signal.reason : error;
      const state = reason instanceof RunCancelled ? 'cancelled' : 'failed';
      const text = reason instanceof RunCancelled ? null : reason instanceof RunRefused ? reason.message : FAILED;
      // Without this record the run still counts as interrupted, as soon as the lock is free.
      const recorded =
        text === STOPPED ? client.query(CLOSE_INTERRUPTED, [text]) : client.query(FINISH, [run.id, state, null, text]);
      await recorded.catch(() => undefined);
      throw reason;
    } finally {
      stop?.removeEventListener('abort', stopped);
    }
  }

  /** Aborts `ending` when the run is cancelled, or when the connection with the lock is lost. */
  private async reportUntil(
    over: AbortSignal,
    client: PoolClient,
    id: string,
    latest: () => RunProgress,
    ending: AbortController,
  ): Promise<void> {
    try {
      while (!over.aborted) {
        const { step, done, total } = latest();
        const { rows } = await client.query<{ cancelled_by: string | null }>(REPORT, [id, step, done, total]);
        if (rows[0]?.cancelled_by !== null) ending.abort(new RunCancelled('The run was cancelled.'));
        await sleep(REPORT_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
      }
    } catch (error) {
      ending.abort(error);
    }
  }
}
