import { describeError } from './answer-body.js';
import type { Dependencies } from './dependencies.js';
import type { PingEntry } from './ping-entry.js';
import { type RetryPolicy, waitAfter } from './retry-policy.js';
import { StreamEpochChanged, StreamInterrupted, StreamRequestError } from './stream-source.js';

/**
 * A sign of life of the stream. `next`: the reader has everything up to there, including entries that a filter left out. `epoch`:
 * the epoch of these entries, if the server sent it; `last`: the end of the stream at that time.
 */
export type Batch = Readonly<{ entries: readonly PingEntry[]; next: number; epoch?: string; last?: number }>;

/** Where to continue: after a position, in an epoch. */
export type Place = Readonly<{ after: number | undefined; epoch: string | undefined }>;

type Connection = AsyncGenerator<Batch, void, undefined>;

/** Reads entries after a position until the connection breaks. */
export type Connect = (place: Place, signal: AbortSignal | undefined) => Connection;

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

export type Following = Readonly<{
  after: number | undefined;
  epoch: string | undefined;
  onEpoch: ((epoch: string) => void) | undefined;
  onEpochChange: ((change: EpochChange) => number | Promise<number>) | undefined;
  signal: AbortSignal | undefined;
  onInterruption: ((interruption: Interruption) => void) | undefined;
  dependencies: Dependencies;
}>;

// It never stops: a receiver that nobody watches for a weekend resumes by itself.
const RETRY_POLICY: RetryPolicy = { tries: Infinity, firstMs: 500, maxMs: 30_000 };

/**
 * Yields every entry once, in the order of positions, over as many connections as needed. Ends when the signal is aborted; throws
 * when the stream refuses the reader.
 */
export async function* follow(
  connect: Connect,
  { after: start, epoch: begun, signal, ...how }: Following,
): AsyncGenerator<PingEntry, void, undefined> {
  let after = start;
  let epoch = begun;
  let tries = 0;
  let connection = connect({ after, epoch }, signal);
  try {
    while (!signal?.aborted) {
      // The yield is outside the catch: a reader that leaves is not a broken connection.
      const batch = await nextOf(connection, epoch).catch((fault: unknown) =>
        fault instanceof StreamEpochChanged ? fault : pauseAfter(fault, (tries += 1), signal, how),
      );
      if (batch instanceof StreamEpochChanged) {
        await connection.return().catch(() => undefined);
        after = await decided(batch, { previous: epoch, after }, how);
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
    // A connection that has broken meanwhile rejects once more.
    await connection.return().catch(() => undefined);
  }
}

async function nextOf(connection: Connection, epoch: string | undefined): Promise<Batch> {
  const { value } = await connection.next();
  if (!value) throw new StreamInterrupted('the server ended the stream');
  const isOther = epoch !== undefined && value.epoch !== undefined && value.epoch !== epoch;
  if (isOther) throw new StreamEpochChanged(value.epoch, value.last ?? 0);
  return value;
}

/** Returns the position from which the reader continues in the new epoch. */
async function decided(
  { epoch, last }: StreamEpochChanged,
  until: Readonly<{ previous: string | undefined; after: number | undefined }>,
  { onEpochChange }: Pick<Following, 'onEpochChange'>,
): Promise<number> {
  if (!onEpochChange) throw new StreamEpochChanged(epoch, last);
  const after = await onEpochChange({ epoch, last, ...until });
  if (Number.isSafeInteger(after) && after >= 0 && after <= last) return after;
  throw new TypeError('onEpochChange gave no position of the stream');
}

/** Waits before the next try. Rethrows faults that no retry can fix. */
async function pauseAfter(
  fault: unknown,
  tries: number,
  signal: AbortSignal | undefined,
  { onInterruption, dependencies }: Pick<Following, 'onInterruption' | 'dependencies'>,
): Promise<undefined> {
  if (signal?.aborted) return;
  if (fault instanceof StreamRequestError) throw fault;
  const { reason, retryAfterMs } = interruptionIn(fault);
  const waitMs = waitAfter({ tries, retryAfterMs }, RETRY_POLICY, dependencies.random) ?? RETRY_POLICY.maxMs;
  onInterruption?.({ reason, waitMs, tries });
  // It rejects when the signal is aborted, and then the loop ends.
  await dependencies.sleep(waitMs, signal).catch(() => undefined);
}

function interruptionIn(fault: unknown): { reason: string; retryAfterMs: number | undefined } {
  if (fault instanceof StreamInterrupted) return { reason: fault.message, retryAfterMs: fault.retryAfterMs };
  return { reason: describeError(fault), retryAfterMs: undefined };
}
