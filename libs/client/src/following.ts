import { describeFault } from './answer-body.js';
import { type Patience, waitAfter } from './patience.js';
import type { PingEntry } from './ping-entry.js';
import { StreamInterrupted, StreamRefused } from './stream-source.js';
import type { Surroundings } from './surroundings.js';

/** A sign of life of the stream. `next`: all up to there has been given, also what a filter has left out. */
export type Batch = Readonly<{ entries: readonly PingEntry[]; next: number }>;

type Connection = AsyncGenerator<Batch, void, undefined>;

/** Reads what comes after a position, until it breaks off. */
export type Connect = (after: number | undefined, signal: AbortSignal | undefined) => Connection;

/** Why there is a pause, how long it is, and how many tries have failed since the last sign of life. */
export type Interruption = Readonly<{ reason: string; waitMs: number; tries: number }>;

export type Following = Readonly<{
  after: number | undefined;
  signal: AbortSignal | undefined;
  onInterruption: ((interruption: Interruption) => void) | undefined;
  surroundings: Surroundings;
}>;

// Without an end: a receiver that was left alone for a weekend goes on by itself.
const PATIENCE: Patience = { tries: Infinity, firstMs: 500, maxMs: 30_000 };

/**
 * Every entry once, in the order of their positions, over as many connections as it takes. Ends when the signal is aborted;
 * throws when the stream is refused.
 */
export async function* follow(
  connect: Connect,
  { after: start, signal, ...how }: Following,
): AsyncGenerator<PingEntry, void, undefined> {
  let after = start;
  let tries = 0;
  let connection = connect(after, signal);
  try {
    while (!signal?.aborted) {
      // The entries are yielded outside of what is caught: a reader that leaves is no connection that broke.
      const batch = await nextOf(connection).catch((fault: unknown) => pauseAfter(fault, (tries += 1), signal, how));
      if (!batch) {
        connection = connect(after, signal);
        continue;
      }
      tries = 0;
      for (const entry of batch.entries) {
        // What came before the connection broke may come again after it.
        if (entry.position <= (after ?? 0)) continue;
        if (signal?.aborted) return;
        after = entry.position;
        yield entry;
      }
      if (batch.next > (after ?? 0)) after = batch.next;
    }
  } finally {
    // One that has broken in the meantime says so once more.
    await connection.return().catch(() => undefined);
  }
}

async function nextOf(connection: Connection): Promise<Batch> {
  const { value } = await connection.next();
  if (!value) throw new StreamInterrupted('the server ended the stream');
  return value;
}

/** Waits before the next try; throws what no other try would change. */
async function pauseAfter(
  fault: unknown,
  tries: number,
  signal: AbortSignal | undefined,
  { onInterruption, surroundings }: Pick<Following, 'onInterruption' | 'surroundings'>,
): Promise<undefined> {
  if (signal?.aborted) return;
  if (fault instanceof StreamRefused) throw fault;
  const { reason, retryAfterMs } = interruptionIn(fault);
  const waitMs = waitAfter({ tries, retryAfterMs }, PATIENCE, surroundings.random) ?? PATIENCE.maxMs;
  onInterruption?.({ reason, waitMs, tries });
  // Rejects when the signal is aborted, and the loop ends by that.
  await surroundings.sleep(waitMs, signal).catch(() => undefined);
}

function interruptionIn(fault: unknown): { reason: string; retryAfterMs: number | undefined } {
  if (fault instanceof StreamInterrupted) return { reason: fault.message, retryAfterMs: fault.retryAfterMs };
  return { reason: describeFault(fault), retryAfterMs: undefined };
}
