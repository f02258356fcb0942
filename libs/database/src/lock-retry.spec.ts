import { expect, it } from 'vitest';
import { TooManyWaiters } from './keyed-limiter.js';
import { retryWhileLocked } from './lock-retry.js';

const LOCK_NOT_AVAILABLE = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

/** Attempts that fail with these errors and then succeed. Waits end at once, and are recorded. */
async function attempts(errors: readonly unknown[]) {
  const [lockWaits, pauses]: [number[], number[]] = [[], []];
  const left = [...errors];
  const outcome = await retryWhileLocked(
    async (lockTimeoutMs) => {
      lockWaits.push(lockTimeoutMs);
      if (left.length > 0) throw left.shift();
      return 'written';
    },
    async (ms) => void pauses.push(ms),
  ).catch((error: unknown) => error);
  return { outcome, lockWaits, pauses };
}

it('writes at the first attempt if nothing is locked', async () => {
  expect(await attempts([])).toEqual({ outcome: 'written', lockWaits: [50], pauses: [] });
});

it('pauses five times as long as it waited for the lock, and waits longer each time', async () => {
  const { outcome, lockWaits, pauses } = await attempts(Array.from({ length: 5 }, () => LOCK_NOT_AVAILABLE));
  expect(outcome).toBe('written');
  expect(lockWaits).toEqual([50, 100, 200, 400, 400, 400]);
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000]);
});

it('retries if too many others wait', async () => {
  expect((await attempts([new TooManyWaiters()])).outcome).toBe('written');
});

it('gives up after about 30 s, with the error', async () => {
  const { outcome, lockWaits, pauses } = await attempts(Array.from({ length: 99 }, () => LOCK_NOT_AVAILABLE));
  expect(outcome).toBe(LOCK_NOT_AVAILABLE);
  const total = [...lockWaits, ...pauses].reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeGreaterThan(25_000);
  expect(total).toBeLessThan(35_000);
});

it('gives up at once on any other error', async () => {
  const broken = new Error('connection lost');
  expect(await attempts([broken])).toEqual({ outcome: broken, lockWaits: [50], pauses: [] });
});
