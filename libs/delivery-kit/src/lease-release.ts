import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#base/clock';

const TRY_AGAIN_AFTER_MS = 100;

/** With retries: if a broken connection lost the release, nobody else could work until the lease expires after `leaseMs`. Never throws. */
export async function releaseWithRetry(
  release: () => Promise<unknown>,
  leaseMs: number,
  clock: Pick<Clock, 'monotonic'>,
): Promise<void> {
  const overAt = clock.monotonic() + leaseMs;
  for (;;) {
    try {
      await release();
      return;
    } catch {
      if (clock.monotonic() >= overAt) return;
    }
    await sleep(TRY_AGAIN_AFTER_MS, undefined, { ref: false });
  }
}
