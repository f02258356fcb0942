import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { leaseHeldAt } from '#delivery/lease';
import type { Clock } from '#runtime/clock';
import { PingQueue } from './ping-queue.js';
import { type DuePing, PingScheduler } from './ping-scheduler.js';
import { IS_PENDING } from './ping-statements.js';
import { PlatformGate } from './platform-gate.js';

type Place = Readonly<{ next_try_at: Date; order_id: string; sequence: number }>;
type Due = Place & Readonly<{ occurred_at: Date; due_since: Date; attempts: number; is_idle: boolean }>;

const PAGE = 1_000;

// With 1 s between sweeps this is more than a worker delivers, so that an emptied Redis is filled as fast as it is drained.
const PAGES_A_SWEEP = 4;

// So many jobs keep the workers busy until the next sweep, and to look for lost ones would add jobs for these over and over.
const ENOUGH_WAITING = 2_000;

const START: Place = { next_try_at: new Date(0), order_id: '', sequence: 0 };

/**
 * Rings for due pings whether they have a job or not: lost jobs, retries whose time has come, everything after Redis was
 * emptied. Run it every second or so; with nothing due it costs one look into an empty index.
 */
@Injectable()
export class PingSweep {
  private place = START;

  constructor(
    private readonly pool: Pool,
    @Inject(PingQueue) private readonly queue: Pick<PingQueue, 'depth'>,
    private readonly scheduler: PingScheduler,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(PlatformGate) private readonly platform: Pick<PlatformGate, 'refresh' | 'admitted' | 'whenClosed'>,
  ) {}

  /** `listener` is told when pings that were held back may go: then a sweep ahead of its time makes them go at once. */
  whenUrgent(listener: () => void): void {
    this.platform.whenClosed(listener);
  }

  /** Goes on where the last sweep stopped, and from the first due ping again after the last. */
  async sweep(): Promise<void> {
    await this.platform.refresh();
    let hungry = false;
    for (let page = 0; page < PAGES_A_SWEEP; page += 1) {
      const due = await this.readPage();
      const wakeups = this.platform.admitted(due.filter((row) => row.is_idle).map(duePing));
      if (wakeups.length > 0) {
        hungry ||= (await this.queue.depth()).waiting < ENOUGH_WAITING;
        if (!hungry) return;
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

// No job is added for a ping that an earlier one of its order holds up, nor for an order that is being delivered.
const DUE = `
  select next_try_at, order_id, sequence, occurred_at, due_since, attempts,
    not exists (
      select 1 from pings earlier
      where earlier.order_id = due.order_id and earlier.sequence < due.sequence and earlier.${IS_PENDING})
    and not exists (select 1 from ping_leases lease where lease.order_id = due.order_id and ${leaseHeldAt('$1')}) as is_idle
  from pings due
  where state = 'pending' and next_try_at <= $1 and (next_try_at, order_id, sequence) > ($2, $3, $4)
  order by next_try_at, order_id, sequence limit $5`;
