import { Inject, Injectable } from '@nestjs/common';
import { type RetryPolicy, waitAfter } from '#client/retry-policy';
import type { ReadPurchase } from './received-ping.contract.js';
import type { NewJob } from '#delivery-kit/job-queue';
import { Clock } from '#base/clock';
import { Randomness } from '#base/randomness';
import { continued } from '#base/tracing';
import { jobSpan } from '#delivery-kit/queue-task';
import { PurchaseReader, type Read } from './purchase-reader.js';
import { type ReadJob, ReadQueue } from './read-queue.js';
import { type ReadResult, ReceivedPings, type UnreadPing } from './received-pings.js';

// Eight reads within two minutes.
const RETRY_POLICY: RetryPolicy = { tries: 8, firstMs: 1_000, maxMs: 60_000 };

// A job this late is lost: Redis was emptied, or its worker was killed.
const OVERDUE_AFTER_MS = 15_000;
const OVERDUE_AT_ONCE = 500;

export function readJob({ pingId, read }: ReadJob, delayMs = 0): NewJob<ReadJob> {
  return { id: `sandbox-ping-${pingId}-${read}`, data: { pingId, read }, delayMs };
}

@Injectable()
export class ReadBack {
  constructor(
    private readonly pings: ReceivedPings,
    private readonly reader: PurchaseReader,
    @Inject(ReadQueue) private readonly queue: Pick<ReadQueue, 'add'>,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async process({ pingId, read }: ReadJob): Promise<void> {
    const ping = await this.pings.findUnread(pingId);
    // A job may run twice, so the row decides.
    if (!ping || ping.reads !== read - 1) return;
    const result = await continued(ping.traceparent, jobSpan('sandbox-reads'), () => this.reader.read(ping));
    const waitMs = this.waitAfter(result, read);
    await this.pings.recordRead(ping, this.resultOf(ping, result, waitMs));
    // If this fails, the sweep finds the ping.
    if (waitMs !== undefined) await this.queue.add([readJob({ pingId, read: read + 1 }, waitMs)]);
  }

  async sweep(): Promise<void> {
    const overdue = await this.pings.overdue(OVERDUE_AFTER_MS, OVERDUE_AT_ONCE);
    await this.queue.add(overdue.map(({ id, reads }) => readJob({ pingId: id, read: reads + 1 })));
  }

  private waitAfter(result: Read, read: number): number | undefined {
    if ('purchase' in result || !result.again) return undefined;
    return waitAfter({ tries: read, retryAfterMs: result.retryAfterMs }, RETRY_POLICY, () =>
      this.randomness.fraction(),
    );
  }

  private resultOf(ping: UnreadPing, result: Read, waitMs: number | undefined): ReadResult {
    if ('purchase' in result) {
      return { purchase: result.purchase, showsAnnounced: showsAnnounced(ping, result.purchase) };
    }
    return { error: result.error, nextReadAt: waitMs === undefined ? null : this.clock.now() + waitMs };
  }
}

/** A ping is sent only once GET shows what it announces. Null where the answer has no history. */
function showsAnnounced({ announcement }: UnreadPing, { status_history: history }: ReadPurchase): boolean | null {
  return history ? history.length >= announcement : null;
}
