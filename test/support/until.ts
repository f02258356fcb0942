import { setTimeout as sleep } from 'node:timers/promises';

// The pauses grow, because a condition may cost a query or a request, and a long wait does not need to end to the millisecond.
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;
const GROWTH = 1.3;

/**
 * Waits until `condition` returns something truthy, and returns that. An error counts as "not yet". After `withinMs` (default 30 s,
 * because other work may keep the machine busy), it throws with the last value or error as cause. With `everyMs` the pauses are equal.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { withinMs = 30_000, everyMs }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = everyMs ?? FIRST_PAUSE_MS; ;) {
    let last: unknown;
    try {
      last = await condition();
      if (last) return last as Exclude<T, false | null | undefined | 0 | ''>;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new Error(`Still not so after ${withinMs} ms: ${condition.toString()}`, { cause: last });
    }
    await sleep(pauseMs);
    pauseMs = everyMs ?? Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  }
}
