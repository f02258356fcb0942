import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { type Attempt, attemptColumns } from '#delivery-kit/attempt';
import { Batcher } from '#delivery-kit/batcher';
import { type Lease as LeaseOf, newFence, takeLeases } from '#delivery-kit/lease';
import { releaseWithRetry } from '#delivery-kit/lease-release';
import type { Clock } from '#base/clock';
import { Randomness } from '#base/randomness';
import type { Ping } from './ping-sender.js';
import { PingSettings } from './ping-settings.js';
import { HEADS, RECORD, RELEASE, TAKE } from './ping-statements.js';

/** The first undelivered ping of an order. Times in milliseconds since the epoch. */
export type PendingPing = Ping &
  Readonly<{
    sequence: number;
    /** Failed attempts since `dueSince`. */
    tries: number;
    /** When its event was recorded, or when it was last resent. */
    dueSince: number;
    nextTryAt: number;
    /** Of the append that made it due. Null if no trace was recorded. */
    traceparent: string | null;
  }>;

export type Lease = LeaseOf<'orderId'>;

/** If `dueSince` has changed in the database, the ping was resent meanwhile. */
export type PingAttempt = Attempt & Readonly<{ sequence: number }>;

/** `written` is false if another worker has taken the lease. */
export type Recorded = Readonly<{ written: boolean; next: PendingPing | undefined }>;

// Two concurrent statements of a kind keep the server and this process busy. More would only make the batches smaller.
const BATCHES = { atOnce: 2, items: 500 };

/** Only one worker gets the lease of an order. The holder of an expired lease cannot write. Concurrent calls share their statements. */
@Injectable()
export class PingLedger {
  private readonly takes = new Batcher((orderIds: readonly string[]) => this.takeAll(orderIds), BATCHES);
  private readonly heads = new Batcher((orderIds: readonly string[]) => this.readHeads(orderIds), BATCHES);
  private readonly records = new Batcher(
    (attempts: readonly (Lease & PingAttempt)[]) => this.recordAll(attempts),
    BATCHES,
  );
  private readonly releases = new Batcher((leases: readonly Lease[]) => this.releaseAll(leases), BATCHES);

  /**
   * @param pool may commit lazily: if a crash loses a record, the ping is sent again
   * @param settings `leaseMs` must exceed the time of an attempt and its record, and the difference between two workers' clocks
   */
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(PingSettings) private readonly settings: Pick<PingSettings, 'leaseMs'>,
  ) {}

  /** Returns undefined while another worker holds the lease. */
  async take(orderId: string): Promise<Lease | undefined> {
    return await this.takes.add(orderId);
  }

  /** Returns the first pending ping, due or not. Not part of `take`: its snapshot may show a ping as pending that was just delivered. */
  async head(orderId: string): Promise<PendingPing | undefined> {
    return await this.heads.add(orderId);
  }

  async record(lease: Lease, attempt: PingAttempt): Promise<Recorded> {
    return await this.records.add({ ...lease, ...attempt });
  }

  async release(lease: Lease): Promise<void> {
    await this.releases.add(lease);
  }

  /** After an error. Otherwise the order would have to wait until the lease expires. */
  async releaseAfterError(lease: Lease): Promise<void> {
    await releaseWithRetry(() => this.release(lease), this.settings.leaseMs, this.clock);
  }

  private async takeAll(orderIds: readonly string[]): Promise<(Lease | undefined)[]> {
    const fence = newFence(this.randomness);
    const take = async (wanted: readonly string[]) => {
      const values = [wanted, fence, this.time(), this.time(this.settings.leaseMs)];
      const { rows } = await this.pool.query<{ order_id: string }>({ name: 'ping-leases-take', text: TAKE, values });
      return rows.map(({ order_id }) => order_id);
    };
    const taken = await takeLeases(orderIds, take, (orderId) => this.releaseAfterError({ orderId, fence }));
    return orderIds.map((orderId, index) => (taken[index] ? { orderId, fence } : undefined));
  }

  private async readHeads(orderIds: readonly string[]): Promise<(PendingPing | undefined)[]> {
    const { rows } = await this.pool.query<PendingRow>({ name: 'ping-heads', text: HEADS, values: [orderIds] });
    const heads = new Map(rows.map((row) => [row.order_id, pendingPing(row)]));
    return orderIds.map((orderId) => heads.get(orderId));
  }

  private async recordAll(attempts: readonly (Lease & PingAttempt)[]): Promise<Recorded[]> {
    const { rows } = await this.pool.query<HeldRow>({
      name: 'ping-attempts-record',
      text: RECORD,
      values: [JSON.stringify(attempts.map(attemptRow)), this.time(), this.time(this.settings.leaseMs)],
    });
    const held = new Map(rows.map((row) => [row.order_id, row]));
    return attempts.map(({ orderId }) => {
      const row = held.get(orderId);
      return { written: row !== undefined, next: row && row.sequence !== null ? pendingPing(row) : undefined };
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
  traceparent: string | null;
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
    traceparent: row.traceparent,
    tries: row.tries,
    dueSince: row.due_since.getTime(),
    nextTryAt: row.next_try_at.getTime(),
  };
}

function attemptRow({ orderId, fence, sequence, ...attempt }: Lease & PingAttempt): object {
  return { order_id: orderId, fence, sequence, ...attemptColumns(attempt) };
}
