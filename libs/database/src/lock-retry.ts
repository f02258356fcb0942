import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from './database-errors.js';
import { TooManyWaiters } from './keyed-limiter.js';

const FIRST_LOCK_WAIT_MS = 50;
const LONGEST_LOCK_WAIT_MS = 400;
const PAUSE_PER_LOCK_WAIT = 5;
// About 30 s in total, as long as a statement may take.
const MAX_ATTEMPTS = 14;

/**
 * For a transaction that locks many rows. It must not hold its locks while it waits long for another one, so each attempt waits only
 * briefly, and then pauses without locks.
 * @param attempt runs the transaction with this lock timeout. If it throws, it must have written nothing.
 * @throws the error of the 14th attempt, and at once an error that does not concern locks
 */
export async function retryWhileLocked<T>(
  attempt: (lockTimeoutMs: number) => Promise<T>,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<T> {
  let lockTimeoutMs = FIRST_LOCK_WAIT_MS;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(lockTimeoutMs);
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !isLocked(error)) throw error;
    }
    await wait(lockTimeoutMs * PAUSE_PER_LOCK_WAIT);
    lockTimeoutMs = Math.min(2 * lockTimeoutMs, LONGEST_LOCK_WAIT_MS);
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof TooManyWaiters || isLockTimeout(error);
}
