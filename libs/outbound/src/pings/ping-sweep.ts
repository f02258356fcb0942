import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { leaseHeldAt } from '#delivery-kit/lease';
import type { Clock } from '#base/clock';
import { PingQueue } from './ping-queue.js';
import { type DuePing, PingScheduler } from '../ping-scheduler.js';
import { IS_PENDING } from './ping-statements.js';
import { PlatformCircuitBreaker } from './platform-circuit-breaker.js';

type Place = Readonly<{ next_try_at: Date; order_id: string; sequence: number }>;
type Due = Place & Readonly<{ occurred_at: Date; due_since: Date; attempts: number; is_idle: boolean }>;

const PAGE = 1_000;

// With 1 s between sweeps this exceeds what a worker delivers, so the queue refills fast enough after Redis lost its data.
const PAGES_A_SWEEP = 4;

// This many jobs keep the workers busy until the next sweep. Adding more would only repeat existing jobs.
const ENOUGH_WAITING = 2_000;

const START: Place = { next_try_at: new Date(0), order_id: '', sequence: 0 };

/** Schedules due pings whether they have a job or not. Run it about every second. */
@Injectable()
export class PingSweep {
  private place = START;

  constructor(
    private readonly pool: Pool,
    @Inject(PingQueue) private readonly queue: Pick<PingQueue, 'depth'>,
    private readonly scheduler: PingScheduler,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(PlatformCircuitBreaker)
    private readonly platform: Pick<PlatformCircuitBreaker, 'refresh' | 'admitted' | 'onClosed'>,
  ) {}

  onBreakerClosed(listener: () => void): void {
    this.platform.onClosed(listener);
  }

  /** Continues where the last sweep stopped, and starts over after the last due ping. */
  async sweep(): Promise<void> {
    await this.platform.refresh();
    let hasCapacity = false;
    for (let page = 0; page < PAGES_A_SWEEP; page += 1) {
      const due = await this.readPage();
      const wakeups = this.platform.admitted(due.filter((row) => row.is_idle).map(duePing));
      if (wakeups.length > 0) {
        hasCapacity ||= (await this.queue.depth()).waiting < ENOUGH_WAITING;
        if (!hasCapacity) return;
        await this.scheduler.scheduleNow(wakeups);
      }
      this.place = due.length < PAGE ? START : (due.at(-1) ?? START);
      if (this.place === START) return;
    }
  }

  private async readPage(): Promise<readonly Due[]> {
    const { next_try_at, order_id, sequence } = this.place;
    const { rows } = await this.pool.query<Due>({
      name: 'pings-due',
      text: DUE,
      values: [new Date(this.clock.now()), next_try_at, order_id, sequence, PAGE],
    });
    return rows;
  }
}

function duePing(row: Due): DuePing & Readonly<{ dueSince: number }> {
  const { order_id: orderId, occurred_at, next_try_at, due_since, attempts } = row;
  const [occurredAt, dueAt, dueSince] = [occurred_at.getTime(), next_try_at.getTime(), due_since.getTime()];
  return { orderId, occurredAt, dueAt, dueSince, attempts };
}

// A ping gets no job if an earlier ping of its order is pending or if its order is being delivered.
const DUE = `
  select next_try_at, order_id, sequence, occurred_at, due_since, attempts,
    not exists (
      select 1 from pings earlier
      where earlier.order_id = due.order_id and earlier.sequence < due.sequence and earlier.${IS_PENDING})
    and not exists (select 1 from ping_leases lease where lease.order_id = due.order_id and ${leaseHeldAt('$1')}) as is_idle
  from pings due
  where state = 'pending' and next_try_at <= $1 and (next_try_at, order_id, sequence) > ($2, $3, $4)
  order by next_try_at, order_id, sequence limit $5`;
