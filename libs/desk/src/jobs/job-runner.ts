import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { ProjectionConflict, VersionConflict } from '#event-store/event-store';
import type { Clock } from '#base/clock';
import type { JobKind } from '../job.contract.js';
import { isRefunding, type JobItem } from '../job.js';
import { JobRefundPace } from './job-refund-pace.js';
import { FINISH_IF_DONE, LOCK_RUNNING, NEXT_ITEMS, RECORD_RESULTS, TRY_LATER } from './job-statements.js';
import { type LockedJob, OrderJobs } from './order-jobs.js';

type Pace = Readonly<{
  batch: number;
  /** How many times as long as a batch took the job rests after it. */
  rest: number;
}>;

// A batch takes some tens of milliseconds, which is how long a purchase of the same listing may wait for it.
const FAST: Pace = { batch: 32, rest: 0 };
// Nobody can buy tickets of a cancelled show, so its orders can wait, and purchases of other shows have the processors.
const UNHURRIED: Pace = { batch: 8, rest: 3 };

// A step ends then, so that a process that stops need not wait long.
const LONGEST_STEP_MS = 1_000;

// A batch holds the locks of several listings. It gives up before PostgreSQL looks for a deadlock (1 s), so that somebody else's
// request never has to.
const BATCH_LOCK_TIMEOUT_MS = 200;

const AGAIN_AFTER_MS = 1_000;
const AGAIN_AFTER_FAULT_MS = 10_000;

type RunningJob = Readonly<{ id: string; kind: JobKind; isPaused: boolean }>;

/**
 * Changes the orders of running jobs. A batch is one transaction with its results, so a killed process leaves nothing half done. Only one
 * process works on a job at a time.
 */
@Injectable()
export class JobRunner {
  constructor(
    private readonly pool: Pool,
    private readonly work: OrderJobs,
    private readonly refunds: JobRefundPace,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Run it every 250 ms while it returns true, which means that a job is running. Otherwise it costs one lookup in an empty index. */
  async step(): Promise<boolean> {
    const end = this.clock.monotonic() + LONGEST_STEP_MS;
    const running = await this.running();
    // A job's next batch begins no sooner than this. A job that rests holds up no other one.
    const nextBatchAt = new Map(running.map((job) => [job, 0]));
    for (let now = this.clock.monotonic(); nextBatchAt.size > 0 && now < end; now = this.clock.monotonic()) {
      const ready = [...nextBatchAt].filter(([, at]) => at <= now);
      if (ready.length === 0) await pause(Math.min(end, ...nextBatchAt.values()) - now);
      for (const [job] of ready) {
        const at = await this.advance(job);
        if (at === undefined) nextBatchAt.delete(job);
        else nextBatchAt.set(job, at);
      }
    }
    return running.length > 0;
  }

  private async running(): Promise<readonly RunningJob[]> {
    const { rows } = await this.pool.query<RunningJob>({
      name: 'jobs-running',
      text: `select id, kind, state = 'paused' as "isPaused" from jobs where state = 'running' or reason is not null order by id`,
    });
    if (!rows.some(({ isPaused }) => isPaused)) return rows;
    await this.refunds.goOn();
    return rows.filter(({ isPaused }) => !isPaused);
  }

  /** Changes a batch of its orders. Returns when the next one may begin, or undefined if nothing is left to do at once. */
  private async advance({ id, kind }: RunningJob): Promise<number | undefined> {
    const { batch, rest } = kind === 'cancel_event' ? UNHURRIED : FAST;
    const began = this.clock.monotonic();
    const pace = isRefunding(kind) ? await this.refunds.check(id) : 'free';
    if (pace !== 'free') return pace === 'full' ? began + AGAIN_AFTER_MS : undefined;
    if (!(await this.together(id, batch))) return undefined;
    const now = this.clock.monotonic();
    return now + rest * (now - began);
  }

  private async together(id: string, most: number): Promise<boolean> {
    try {
      return await inTransaction(this.pool, async (client) => {
        await client.query(`set local lock_timeout = ${BATCH_LOCK_TIMEOUT_MS}`);
        return (await this.batch(client, id, most)) > 0;
      });
    } catch {
      // Somebody else changed or locked one of the orders. An order that fails must not hold up the others.
      return await this.oneByOne(id, most);
    }
  }

  private async oneByOne(id: string, most: number): Promise<boolean> {
    for (let count = 0; count < most; count += 1) {
      let tried: JobItem | undefined;
      try {
        const note = (item: JobItem) => (tried = item);
        if ((await inTransaction(this.pool, (client) => this.batch(client, id, 1, note))) === 0) return false;
      } catch (error) {
        const isConflict = error instanceof VersionConflict || error instanceof ProjectionConflict;
        if (tried) await this.tryLater(this.pool, id, [tried], isConflict ? AGAIN_AFTER_MS : AGAIN_AFTER_FAULT_MS);
        if (!tried || !isConflict) throw error;
      }
    }
    return true;
  }

  /** Returns the number of orders that were tried. */
  private async batch(client: ClientBase, id: string, most: number, onItem?: (item: JobItem) => void): Promise<number> {
    const [job] = (await client.query<LockedJob>(LOCK_RUNNING, [id, this.work.kinds])).rows;
    if (!job) return 0;
    const now = this.clock.iso();
    const { rows: items } = await client.query<JobItem>(NEXT_ITEMS, [id, now, most]);
    if (items.length === 0) {
      await client.query(FINISH_IF_DONE, [id, now]);
      return 0;
    }
    if (items[0]) onItem?.(items[0]);
    const outcomes = await this.work.apply(client, job, items);
    const later = items.filter((_, index) => outcomes[index] === 'later');
    if (later.length > 0) await this.tryLater(client, id, later, AGAIN_AFTER_MS);
    const results = items.flatMap(({ number }, index) => {
      const outcome = outcomes[index];
      return outcome === undefined || outcome === 'later' ? [] : [{ number, ...outcome }];
    });
    await client.query(RECORD_RESULTS, [id, JSON.stringify(results)]);
    return items.length;
  }

  private async tryLater(connection: ClientBase | Pool, id: string, items: readonly JobItem[], afterMs: number) {
    const at = new Date(this.clock.now() + afterMs);
    await connection.query(TRY_LATER, [id, items.map(({ number }) => number), at]);
  }
}
