import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { copyRows } from '#database/copy-rows';
import { FeedBacklog } from '#event-store/feed-backlog';
import type { TextRecord } from '#base/record-splitter';
import { JobFiles } from './job-files.js';
import { type LineOutcome, OrderImport, orderLineSplitter, type ReadLines } from './order-import.js';
import { type ClaimedJob, JobEnded, OrderTransferLeases } from './order-transfer-leases.js';

// A batch takes about a tenth of a second, which is how long a purchase of the same listing may wait for it.
const BATCH_LINES = 500;

// Live orders share the feed with imported ones, and must not wait behind thousands of them.
const FEED_MAY_LAG_MS = 1_000;
const FEED_PAUSE_MS = 100;

/** `to`: the last line. */
type ReadBatch = Readonly<{ to: number; lines: ReadLines }>;

/** Imports an upload. A batch of lines, their results and the progress are one transaction, so nothing is written twice or left out. */
@Injectable()
export class ImportWork {
  protected readonly batchLines: number = BATCH_LINES;

  constructor(
    private readonly pool: Pool,
    private readonly importing: OrderImport,
    private readonly files: JobFiles,
    private readonly leases: OrderTransferLeases,
    private readonly backlog: FeedBacklog,
  ) {}

  /** @throws JobEnded */
  async run(job: ClaimedJob, stop: AbortSignal): Promise<void> {
    let from = job.line;
    for await (const { to, lines } of this.readBatches(job)) {
      while ((await this.backlog.oldestMs()) > FEED_MAY_LAG_MS && !stop.aborted) {
        await this.leases.report(job);
        await sleep(FEED_PAUSE_MS);
      }
      if (stop.aborted) throw new JobEnded();
      await this.importing.write(this.pool, lines, (client, outcomes) =>
        this.record(client, job, { from, to }, outcomes),
      );
      from = to;
    }
    if ((await this.pool.query(FINISH, [job.id, job.attempt])).rowCount !== 1) throw new JobEnded();
    await this.files.remove(job.id);
  }

  /** While the database writes one batch, the next one is read. */
  private async *readBatches(job: ClaimedJob): AsyncGenerator<ReadBatch> {
    let next: Promise<ReadBatch> | undefined;
    for await (const batch of this.batches(job)) {
      const ready = next;
      const to = batch.at(-1)?.line ?? job.line;
      next = this.importing.read(batch, { job: job.id, actor: job.requested_by }).then((lines) => ({ to, lines }));
      // Awaited when the batch is written. Until then, a failure would be unhandled.
      next.catch(() => undefined);
      if (ready) yield await ready;
    }
    if (next) yield await next;
  }

  /** The lines that no attempt has written yet. */
  private async *batches({ id, line }: ClaimedJob): AsyncGenerator<TextRecord[]> {
    const splitter = orderLineSplitter();
    let batch: TextRecord[] = [];
    for await (const part of this.files.read(id, 0)) {
      for (const record of splitter.split(part)) {
        if (record.line > line) batch.push(record);
        if (batch.length < this.batchLines) continue;
        yield batch;
        batch = [];
      }
    }
    for (const record of splitter.end()) if (record.line > line) batch.push(record);
    if (batch.length > 0) yield batch;
  }

  private async record(
    client: ClientBase,
    job: ClaimedJob,
    lines: Readonly<{ from: number; to: number }>,
    outcomes: readonly LineOutcome[],
  ): Promise<void> {
    const failed = outcomes.filter(({ outcome }) => outcome === 'refused').length;
    await this.leases.advance(client, job, { ...lines, failed, done: outcomes.length - failed });
    const results = outcomes.map(({ line, order_id: orderId, outcome, reason }) => ({
      job_id: job.id,
      number: line,
      order_id: orderId ?? '',
      outcome,
      reason: reason === undefined ? null : `line ${line}: ${reason}`,
    }));
    await copyRows(client, 'job_items', ['job_id', 'number', 'order_id', 'outcome', 'reason'], results);
  }
}

const FINISH = `
  update jobs set state = 'done', finished_at = clock_timestamp() from job_files
  where id = $1 and job_id = id and attempt = $2 and state = 'running'`;
