import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { dropPartitions } from '#database/partitions';
import { copyRows } from '#database/copy-rows';
import { LazyCommitPool } from '#database/lazy-commit-pool';

/** `at` is the beginning, ISO 8601. `path` has no query. */
export type RecordedRequest = Readonly<{
  at: string;
  transaction_id: string;
  method: string;
  path: string;
  /** `platform:<client id>`, `operator:<id>` or `token:<id>`. */
  actor: string;
  status: number;
  duration_ms: number;
}>;

export const FLUSH_REQUESTS_EVERY_MS = 1_000;

// Limits the memory while the database is unreachable.
const MOST_KEPT = 20_000;
const LONGEST_PATH = 2_048;

/** Remembers requests and writes them in the background, so no request waits. A killed process loses those of the last second. */
@Injectable()
export class RecordedRequests {
  private requests: RecordedRequest[] = [];
  private writing: Promise<void> = Promise.resolve();

  constructor(@Inject(LazyCommitPool) private readonly pool: Pool) {}

  note(request: RecordedRequest): void {
    if (this.requests.length < MOST_KEPT) this.requests.push({ ...request, path: request.path.slice(0, LONGEST_PATH) });
  }

  /** Ends when all that was noted is written, also by a flush that was under way. If this fails, the next flush writes them. */
  async flush(): Promise<void> {
    const flushed = this.writing.then(() => this.writeNoted());
    this.writing = flushed.catch(() => undefined);
    await flushed;
  }

  private async writeNoted(): Promise<void> {
    if (this.requests.length === 0) return;
    const requests = this.requests;
    this.requests = [];
    try {
      await this.write(requests);
    } catch (error) {
      this.requests = [...requests, ...this.requests].slice(0, MOST_KEPT);
      throw error;
    }
  }

  /** With COPY, PostgreSQL logs a page of rows at once. */
  private async write(requests: readonly RecordedRequest[]): Promise<void> {
    const client = await this.pool.connect();
    try {
      await copyRows(client, 'recorded_requests', COLUMNS, requests);
    } finally {
      client.release();
    }
  }

  /** Oldest first. */
  async of(transactionId: string): Promise<RecordedRequest[]> {
    await this.flush();
    const { rows } = await this.pool.query<Omit<RecordedRequest, 'at'> & { at: Date }>(OF_TRANSACTION, [transactionId]);
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }

  /** Removes requests of the weeks that ended before this time. */
  async prune(before: Date): Promise<void> {
    await dropPartitions(this.pool, 'recorded_requests', before);
    await this.pool.query(`delete from recorded_requests where at < $1::timestamptz - interval '7 days'`, [before]);
  }
}

const COLUMNS = ['at', 'transaction_id', 'method', 'path', 'actor', 'status', 'duration_ms'];

const OF_TRANSACTION = `
  select at, transaction_id, method, path, actor, status, duration_ms from recorded_requests
  where hashtext(transaction_id) = hashtext($1) and transaction_id = $1 order by id limit 100`;
