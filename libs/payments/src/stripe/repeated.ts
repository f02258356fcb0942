import { setTimeout as wait } from 'node:timers/promises';
import type { Randomness } from '#base/randomness';
import { StripeFault } from './stripe-fault.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Tries again while Stripe is busy, broken or out of reach, until `signal` ends the wait. What Stripe refuses is not tried again.
 * @throws StripeFault the last one, or the reason of the signal
 */
export async function repeated<T>(signal: AbortSignal, randomness: Randomness, attempt: () => Promise<T>): Promise<T> {
  let last: StripeFault | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      signal.throwIfAborted();
      return await endedBy(signal, attempt());
    } catch (error) {
      if (error instanceof StripeFault) last = error;
      // What came before says more than that the time is over.
      if (signal.aborted || !(error instanceof StripeFault) || error.isRefusal) throw last ?? error;
      await wait(pauseMs * (0.5 + randomness.fraction() / 2), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The package cannot end a request, so it goes on, and its answer is not heard. */
async function endedBy<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let end: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason as Error);
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    if (end) signal.removeEventListener('abort', end);
  }
}
