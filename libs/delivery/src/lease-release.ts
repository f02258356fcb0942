import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#runtime/clock';

const TRY_AGAIN_AFTER_MS = 100;

/**
 * Gives a lease up after a fault. Nobody may work under a lease whose holder has gone on without releasing it, so one release that
 * meets a broken connection would cost the whole length of the lease. Never throws.
 *
 * @param release gives the lease up; throws while that fails.
 * @param leaseMs after this the lease is over anyway.
 */
export async function releaseDespiteErrors(
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
