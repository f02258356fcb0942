import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { RateLimiter, type ReservedSlots } from '#delivery-kit/rate-limiter';
import type { Clock } from '#base/clock';
import { PLATFORM } from './replay-selection.js';
import {
  ABANDON,
  ADVANCE,
  LOCK,
  LOCK_DELIVERIES,
  RELEASE_DELIVERIES,
  RELEASE_PINGS,
  SETTLE_DELIVERIES,
  SETTLE_PINGS,
} from './replays/replay-statements.js';

/** `at` is in milliseconds since the epoch. */
export type Released = Readonly<{ endpoint: string; due: readonly Readonly<{ orderId: string; at: number }>[] }>;

/** If scheduling fails, the sweeps find the items. */
export abstract class ReleaseScheduler {
  abstract schedule(released: Released): Promise<void>;
}

// Items are released this long before their slot, so steps at intervals of 250 ms leave no gap.
const AHEAD_MS = 500;

// If this much is overdue, the receiver or the worker is behind, and more items would only pile up and then be sent all at once.
// Together with AHEAD_MS this is one second's worth, so the rate also holds in the second in which delivery resumes.
const MOST_OVERDUE_MS = 500;

// Takes PostgreSQL about 100 ms.
const MOST_A_STEP = 5_000;

type LockedReplay = Readonly<{
  endpoint: string;
  per_second: number;
  total: number;
  released: number;
  next_slot_ms: number;
  is_known: boolean;
}>;

/**
 * Releases the items of running replays at their rates; the normal delivery sends them. A step is one transaction, so a killed process
 * leaves nothing half done, and only one process steps a replay at a time.
 */
@Injectable()
export class ReplayWork {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly scheduler: ReleaseScheduler,
  ) {}

  /** Run it every 250 ms while it returns true, which means that a replay is running. Otherwise it costs one lookup in an empty index. */
  async step(): Promise<boolean> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'replays-running',
      text: `select id from replays where state = 'running' order by id`,
    });
    for (const { id } of rows) {
      const released = await inTransaction(this.pool, (client) => this.advance(client, id));
      if (released && released.due.length > 0) await this.scheduler.schedule(released);
    }
    return rows.length > 0;
  }

  private async advance(client: ClientBase, id: string): Promise<Released | undefined> {
    const replay = (await client.query<LockedReplay>(LOCK, [id])).rows[0];
    if (!replay) return undefined;
    if (!replay.is_known) return void (await client.query(ABANDON, [id, this.clock.iso()]));
    const { endpoint } = replay;
    if (endpoint !== PLATFORM) await client.query(LOCK_DELIVERIES, [endpoint]);
    const { settled, overdue } = await this.settle(client, id, replay);
    const slots = this.nextSlots(replay, overdue);
    const due = slots.count > 0 ? await this.release(client, id, replay, slots) : [];
    if (settled > 0 || overdue > 0 || slots.count > 0) {
      await client.query(ADVANCE, [id, settled, slots.count, slots.nextMs, this.clock.iso()]);
    }
    return { endpoint, due: due.map(({ order_id, next_try_at }) => ({ orderId: order_id, at: +next_try_at })) };
  }

  private async settle(client: ClientBase, id: string, { endpoint, released }: LockedReplay) {
    const values = [id, released, this.clock.iso()];
    const { rows } = await client.query<{ settled: number; overdue: number }>(
      endpoint === PLATFORM ? SETTLE_PINGS : SETTLE_DELIVERIES,
      endpoint === PLATFORM ? values : [...values, endpoint],
    );
    return rows[0] ?? { settled: 0, overdue: 0 };
  }

  /** Overdue items will be sent all at once, so the next slot comes after the time they should have taken. */
  private nextSlots(
    { next_slot_ms, per_second: perSecond, total, released }: LockedReplay,
    overdue: number,
  ): ReservedSlots {
    const nowMs = this.clock.now();
    const nextMs = Math.max(next_slot_ms, nowMs + (overdue * 1_000) / perSecond);
    const isBehind = overdue * 1_000 >= Math.max(1_000, MOST_OVERDUE_MS * perSecond);
    const most = isBehind ? 0 : Math.min(MOST_A_STEP, total - released);
    return new RateLimiter({ perSecond, burstMs: 0 }, nextMs).reserve(nowMs, nowMs + AHEAD_MS, most);
  }

  private async release(client: ClientBase, id: string, { endpoint, released }: LockedReplay, slots: ReservedSlots) {
    const values = [id, released, released + slots.count, slots.firstMs, slots.everyMs];
    const { rows } = await client.query<{ order_id: string; next_try_at: Date }>(
      endpoint === PLATFORM ? RELEASE_PINGS : RELEASE_DELIVERIES,
      endpoint === PLATFORM ? values : [...values, endpoint, this.clock.iso()],
    );
    return rows;
  }
}
