import { describeError } from './answer-body.js';
import type { Dependencies } from './dependencies.js';
import type { PingEntry } from './ping-entry.js';
import { type RetryPolicy, waitAfter } from './retry-policy.js';
import { StreamEpochChanged, StreamInterrupted, StreamRequestError } from './stream-source.js';

/** A sign of life. The reader has everything up to `next`. `epoch` is that of the entries, if sent; `last` the end of the stream then. */
export type Batch = Readonly<{ entries: readonly PingEntry[]; next: number; epoch?: string; last?: number }>;

export type StreamPosition = Readonly<{ after: number | undefined; epoch: string | undefined }>;

type Connection = AsyncGenerator<Batch, void, undefined>;

export type Connect = (position: StreamPosition, signal: AbortSignal | undefined) => Connection;

/** Why there is a pause, how long it is, and how many tries have failed since the last sign of life. */
export type Interruption = Readonly<{ reason: string; waitMs: number; tries: number }>;

/** The stream's epoch differs from the reader's. `last` is the position of its newest entry, 0 without any. */
export type EpochChange = Readonly<{
  epoch: string;
  last: number;
  /** The epoch of the reader's position; undefined when it was not known. */
  previous: string | undefined;
  /** The reader's position in that epoch. */
  after: number | undefined;
}>;

export type FollowOptions = Readonly<{
  after: number | undefined;
  epoch: string | undefined;
  onEpoch: ((epoch: string) => void) | undefined;
  onEpochChange: ((change: EpochChange) => number | Promise<number>) | undefined;
  signal: AbortSignal | undefined;
  onInterruption: ((interruption: Interruption) => void) | undefined;
  dependencies: Dependencies;
}>;

// Retries for ever, so a receiver that nobody watches over a weekend resumes by itself.
const RETRY_POLICY: RetryPolicy = { tries: Infinity, firstMs: 500, maxMs: 30_000 };

/** Yields every entry once, in order, over as many connections as needed. Ends with the signal; throws if the stream refuses the reader. */
export async function* follow(
  connect: Connect,
  { after: start, epoch: startEpoch, signal, ...how }: FollowOptions,
): AsyncGenerator<PingEntry, void, undefined> {
  let after = start;
  let epoch = startEpoch;
  let tries = 0;
  let connection = connect({ after, epoch }, signal);
  try {
    while (!signal?.aborted) {
      // The yield is outside the catch: a consumer that stops is not a broken connection.
      const batch = await nextBatch(connection, epoch).catch((error: unknown) =>
        error instanceof StreamEpochChanged ? error : pauseAfter(error, (tries += 1), signal, how),
      );
      if (batch instanceof StreamEpochChanged) {
        await connection.return().catch(() => undefined);
        after = await continuePosition(batch, { previous: epoch, after }, how);
        epoch = undefined;
      }
      if (!batch || batch instanceof StreamEpochChanged) {
        connection = connect({ after, epoch }, signal);
        continue;
      }
      tries = 0;
      if (batch.epoch !== undefined && batch.epoch !== epoch) how.onEpoch?.((epoch = batch.epoch));
      for (const entry of batch.entries) {
        // An entry from before the break may come again after it.
        if (entry.position <= (after ?? 0)) continue;
        if (signal?.aborted) return;
        after = entry.position;
        yield entry;
      }
      if (batch.next > (after ?? 0)) after = batch.next;
    }
  } finally {
    // A connection that has broken in the meantime rejects again.
    await connection.return().catch(() => undefined);
  }
}

async function nextBatch(connection: Connection, epoch: string | undefined): Promise<Batch> {
  const { value } = await connection.next();
  if (!value) throw new StreamInterrupted('the server ended the stream');
  const isOther = epoch !== undefined && value.epoch !== undefined && value.epoch !== epoch;
  if (isOther) throw new StreamEpochChanged(value.epoch, value.last ?? 0);
  return value;
}

async function continuePosition(
  { epoch, last }: StreamEpochChanged,
  until: Readonly<{ previous: string | undefined; after: number | undefined }>,
  { onEpochChange }: Pick<FollowOptions, 'onEpochChange'>,
): Promise<number> {
  if (!onEpochChange) throw new StreamEpochChanged(epoch, last);
  const after = await onEpochChange({ epoch, last, ...until });
  if (Number.isSafeInteger(after) && after >= 0 && after <= last) return after;
  throw new TypeError('onEpochChange gave no position of the stream');
}

/** Rethrows errors that no retry can fix. */
async function pauseAfter(
  error: unknown,
  tries: number,
  signal: AbortSignal | undefined,
  { onInterruption, dependencies }: Pick<FollowOptions, 'onInterruption' | 'dependencies'>,
): Promise<undefined> {
  if (signal?.aborted) return;
  if (error instanceof StreamRequestError) throw error;
  const { reason, retryAfterMs } = interruptionIn(error);
  const waitMs = waitAfter({ tries, retryAfterMs }, RETRY_POLICY, dependencies.random) ?? RETRY_POLICY.maxMs;
  onInterruption?.({ reason, waitMs, tries });
  // The sleep rejects when the signal is aborted; then the loop ends.
  await dependencies.sleep(waitMs, signal).catch(() => undefined);
}

function interruptionIn(error: unknown): { reason: string; retryAfterMs: number | undefined } {
  if (error instanceof StreamInterrupted) return { reason: error.message, retryAfterMs: error.retryAfterMs };
  return { reason: describeError(error), retryAfterMs: undefined };
}
