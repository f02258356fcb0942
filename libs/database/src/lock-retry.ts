import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from './database-faults.js';
import { TooManyWaiters } from './keyed-limiter.js';

const FIRST_LOCK_WAIT_MS = 50;
const LONGEST_LOCK_WAIT_MS = 400;
// Others can have the rows for five sixths of the time.
const PAUSE_PER_LOCK_WAIT = 5;
// About 30 s together, as long as a statement may take.
const MOST_ATTEMPTS = 14;

/**
 * For a transaction that locks many rows: it must not keep those it has for as long as somebody else keeps another one. So each
 * attempt waits only briefly for a lock, and the next one comes after a pause in which none is held.
 *
 * @param attempt does all of it, waits at most so many milliseconds for a lock, and writes nothing where it throws.
 * @param wait waits so many milliseconds.
 * @throws the fault of the last of 14 attempts (about 30 s), and at once one that has nothing to do with locks.
 */
export async function retryWhileLocked<T>(
  attempt: (lockTimeoutMs: number) => Promise<T>,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<T> {
  let lockTimeoutMs = FIRST_LOCK_WAIT_MS;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(lockTimeoutMs);
    } catch (fault) {
      if (attempts === MOST_ATTEMPTS || !isLocked(fault)) throw fault;
    }
    await wait(lockTimeoutMs * PAUSE_PER_LOCK_WAIT);
    lockTimeoutMs = Math.min(2 * lockTimeoutMs, LONGEST_LOCK_WAIT_MS);
  }
}

function isLocked(fault: unknown): boolean {
  return fault instanceof TooManyWaiters || isLockTimeout(fault);
}
