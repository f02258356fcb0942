import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { Batcher } from '#delivery/batcher';
import { type Lease as LeaseOf, newFence } from '#delivery/lease';
import { releaseWithRetry } from '#delivery/lease-release';
import type { Clock } from '#runtime/clock';
import { Randomness } from '#runtime/randomness';
import type { Ping } from './ping-sender.js';
import { PingSettings } from './ping-settings.js';
import { HEADS, RECORD, RELEASE, TAKE } from './ping-statements.js';

/** The first undelivered ping of an order. Times in milliseconds since the epoch. */
export type PendingPing = Ping &
  Readonly<{
    sequence: number;
    /** Failed tries since `dueSince`. */
    tries: number;
    /** When its event was recorded, or when it was last sent again. */
    dueSince: number;
    nextTryAt: number;
  }>;

/** The sole right to deliver an order's pings. */
export type Lease = LeaseOf<'orderId'>;

/** An attempt that was made, and what becomes of the ping. */
export type Attempt = Readonly<{
  sequence: number;
  /** As the ping was read: another by now means that it was made due again meanwhile. */
  dueSince: number;
  startedAt: number;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  state: 'pending' | 'delivered' | 'parked';
  /** Of a ping that stays pending; else null. */
  nextTryAt: number | null;
}>;

/** `kept` is false when the lease had passed to another: then nothing was written. */
export type Recorded = Readonly<{ kept: boolean; next: PendingPing | undefined }>;

// Two statements of a kind under way keep the server and this process busy; more would only make the batches smaller.
const BATCHES = { atOnce: 2, items: 500 };

/**
 * Leases and attempts in Postgres. Of the workers that come for an order one gets the lease, and whoever still holds an
 * old one writes nothing. Calls at the same time share their statements.
 */
@Injectable()
export class PingLedger {
  private readonly takes = new Batcher((orderIds: readonly string[]) => this.takeAll(orderIds), BATCHES);
  private readonly heads = new Batcher((orderIds: readonly string[]) => this.readHeads(orderIds), BATCHES);
  private readonly records = new Batcher((attempts: readonly (Lease & Attempt)[]) => this.recordAll(attempts), BATCHES);
  private readonly releases = new Batcher((leases: readonly Lease[]) => this.releaseAll(leases), BATCHES);

  /**
   * @param pool may commit lazily: a record lost in a crash repeats a ping, and it is delivered at least once all the same.
   * @param settings `leaseMs` must be longer than an attempt and its record may take, and than the clocks of two workers may differ.
   */
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(PingSettings) private readonly settings: Pick<PingSettings, 'leaseMs'>,
  ) {}

  /** Undefined while another lease of the order lasts. */
  async take(orderId: string): Promise<Lease | undefined> {
    return await this.takes.add(orderId);
  }

  /**
   * The first pending ping of the order, due or not. Not part of `take`: a statement sees the rows as they were when it
   * began, and so perhaps as pending what the last holder of the lease has just delivered.
   */
  async head(orderId: string): Promise<PendingPing | undefined> {
    return await this.heads.add(orderId);
  }

  /**
   * Writes the attempt. If the ping is done with and the order has another one due, that comes back and the lease is
   * prolonged; else the lease is given up.
   */
  async record(lease: Lease, attempt: Attempt): Promise<Recorded> {
    return await this.records.add({ ...lease, ...attempt });
  }

  async release(lease: Lease): Promise<void> {
    await this.releases.add(lease);
  }

  /** For a lease whose holder met a fault: the order must not wait until the lease is over. */
  async giveUp(lease: Lease): Promise<void> {
    await releaseWithRetry(() => this.release(lease), this.settings.leaseMs, this.clock);
  }

  private async takeAll(orderIds: readonly string[]): Promise<(Lease | undefined)[]> {
    // One order of rows for all workers, so that they cannot wait for each other; Postgres refuses a row twice.
    const wanted = [...new Set(orderIds)].toSorted();
    const fence = newFence(this.randomness);
    const taking = this.pool.query<{ order_id: string }>({
      name: 'ping-leases-take',
      text: TAKE,
      values: [wanted, fence, this.time(), this.time(this.settings.leaseMs)],
    });
    const { rows } = await taking.catch((fault: unknown) => {
      // The statement may have been carried out before its answer was lost.
      for (const orderId of wanted) void this.giveUp({ orderId, fence });
      throw fault;
    });
    const taken = new Set(rows.map(({ order_id }) => order_id));
    return orderIds.map((orderId) => (taken.delete(orderId) ? { orderId, fence } : undefined));
  }

  private async readHeads(orderIds: readonly string[]): Promise<(PendingPing | undefined)[]> {
    const { rows } = await this.pool.query<PendingRow>({ name: 'ping-heads', text: HEADS, values: [orderIds] });
    const heads = new Map(rows.map((row) => [row.order_id, pendingPing(row)]));
    return orderIds.map((orderId) => heads.get(orderId));
  }

  private async recordAll(attempts: readonly (Lease & Attempt)[]): Promise<Recorded[]> {
    const { rows } = await this.pool.query<HeldRow>({
      name: 'ping-attempts-record',
      text: RECORD,
      values: [JSON.stringify(attempts.map(attemptRow)), this.time(), this.time(this.settings.leaseMs)],
    });
    const held = new Map(rows.map((row) => [row.order_id, row]));
    return attempts.map(({ orderId }) => {
      const row = held.get(orderId);
      return { kept: row !== undefined, next: row && row.sequence !== null ? pendingPing(row) : undefined };
    });
  }

  private async releaseAll(leases: readonly Lease[]): Promise<void[]> {
    const values = [leases.map(({ orderId }) => orderId), leases.map(({ fence }) => fence)];
    await this.pool.query({ name: 'ping-leases-release', text: RELEASE, values });
    return leases.map(() => undefined);
  }

  private time(laterMs = 0): Date {
    return new Date(this.clock.now() + laterMs);
  }
}

type PendingRow = {
  order_id: string;
  sequence: number;
  client_id: string;
  ref_id: string | null;
  transaction_id: string;
  tries: number;
  due_since: Date;
  next_try_at: Date;
};

type HeldRow = PendingRow | { order_id: string; sequence: null };

function pendingPing(row: PendingRow): PendingPing {
  return {
    orderId: row.order_id,
    sequence: row.sequence,
    clientId: row.client_id,
    refId: row.ref_id,
    transactionId: row.transaction_id,
    tries: row.tries,
    dueSince: row.due_since.getTime(),
    nextTryAt: row.next_try_at.getTime(),
  };
}

function attemptRow(attempt: Lease & Attempt): object {
  return {
    order_id: attempt.orderId,
    fence: attempt.fence,
    sequence: attempt.sequence,
    due_since: new Date(attempt.dueSince),
    started_at: new Date(attempt.startedAt),
    duration_ms: attempt.durationMs,
    http_status: attempt.httpStatus,
    error: attempt.error,
    state: attempt.state,
    next_try_at: attempt.nextTryAt === null ? null : new Date(attempt.nextTryAt),
  };
}
