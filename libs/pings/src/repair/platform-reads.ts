import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { LazyCommitPool } from '#database/lazy-commit-pool';

type Read = Readonly<{ version: number; at: number }>;

// A database that is away for long must not fill the memory; what is left out seems to drift until it is read again.
const MOST_KEPT = 100_000;

// One statement of these takes some ten milliseconds.
const WRITTEN_AT_ONCE = 5_000;

/**
 * What the platform has read of each order: kept in memory, and written by and by, since reading a purchase must not wait for
 * it. What a crash takes along is noted with the next read.
 */
@Injectable()
export class PlatformReads {
  private reads = new Map<string, Read>();

  /** @param pool may commit lazily. */
  constructor(@Inject(LazyCommitPool) private readonly pool: Pool) {}

  /** The platform has got this version of the order; `at` in milliseconds since the epoch. Of two answers the later may be older. */
  note(orderId: string, version: number, at: number): void {
    const noted = this.reads.get(orderId);
    if (!noted && this.reads.size >= MOST_KEPT) return;
    this.reads.set(orderId, { version: Math.max(version, noted?.version ?? 0), at: Math.max(at, noted?.at ?? 0) });
  }

  /** After the database was restored: a version that was read may be another one now. */
  forget(): void {
    this.reads = new Map();
  }

  /** Writes the newest read of each order. Where that fails they are kept for the next time. */
  async flush(): Promise<void> {
    if (this.reads.size === 0) return;
    const reads = this.reads;
    this.reads = new Map();
    // One order of rows for all processes, so that they cannot wait for each other.
    const rows = [...reads].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let from = 0; from < rows.length; from += WRITTEN_AT_ONCE) {
      try {
        await this.write(rows.slice(from, from + WRITTEN_AT_ONCE));
      } catch (fault) {
        for (const [orderId, { version, at }] of rows.slice(from)) this.note(orderId, version, at);
        throw fault;
      }
    }
  }

  private async write(rows: readonly (readonly [string, Read])[]): Promise<void> {
    await this.pool.query({
      name: 'platform-reads-write',
      text: WRITE,
      values: [
        rows.map(([orderId]) => orderId),
        rows.map(([, { version }]) => version),
        rows.map(([, { at }]) => new Date(at)),
      ],
    });
  }
}

const WRITE = `
  insert into platform_reads as kept (order_id, version, read_at)
  select * from unnest($1::text[], $2::int[], $3::timestamptz[])
  on conflict (order_id) do update set
    version = greatest(kept.version, excluded.version), read_at = greatest(kept.read_at, excluded.read_at)`;
