import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { LazyCommitPool } from '#database/lazy-commit-pool';

type Read = Readonly<{ version: number; at: number }>;

// Limits the memory while the database is unreachable. An order that is left out shows up as drift until the platform reads it again.
const MOST_KEPT = 100_000;

// Takes about ten milliseconds.
const WRITTEN_AT_ONCE = 5_000;

/** Records which version of each order the platform has read. Writes in the background, so reads of purchases do not wait. */
@Injectable()
export class PlatformReads {
  private reads = new Map<string, Read>();
  private isLeftOut = false;

  constructor(@Inject(LazyCommitPool) private readonly pool: Pool) {}

  /** For a process that only reads: it can note nothing, and a standby does not have the table. */
  leaveOut(): void {
    this.isLeftOut = true;
  }

  /** `at` is in milliseconds since the epoch. Reads may be recorded out of order. */
  note(orderId: string, version: number, at: number): void {
    if (this.isLeftOut) return;
    const noted = this.reads.get(orderId);
    if (!noted && this.reads.size >= MOST_KEPT) return;
    this.reads.set(orderId, { version: Math.max(version, noted?.version ?? 0), at: Math.max(at, noted?.at ?? 0) });
  }

  /** The highest version that the platform has read, and when (ISO 8601). Reads of the last moments may be missing. */
  async lastOf(orderId: string): Promise<{ version: number; at: string; client_id: string } | undefined> {
    if (this.isLeftOut) return undefined;
    const query = { name: 'platform-read-of-order', text: LAST_OF, values: [orderId] };
    const { rows } = await this.pool.query<{ version: number; read_at: Date; client_id: string }>(query);
    return rows.map(({ read_at, ...row }) => ({ ...row, at: read_at.toISOString() }))[0];
  }

  /** Call this after the database was restored, because a version may now mean a different state. */
  forget(): void {
    this.reads = new Map();
  }

  /** If this fails, the next flush writes them. */
  async flush(): Promise<void> {
    if (this.reads.size === 0) return;
    const reads = this.reads;
    this.reads = new Map();
    // Sorted, so that processes cannot deadlock.
    const rows = [...reads].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let from = 0; from < rows.length; from += WRITTEN_AT_ONCE) {
      try {
        await this.write(rows.slice(from, from + WRITTEN_AT_ONCE));
      } catch (error) {
        for (const [orderId, { version, at }] of rows.slice(from)) this.note(orderId, version, at);
        throw error;
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

const LAST_OF = `
  select platform_reads.version, read_at, client_id from platform_reads join orders on orders.id = order_id
  where order_id = $1`;
