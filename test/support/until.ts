import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `condition` returns something truthy, and returns that. An error counts as "not yet". After `withinMs` (default 30 s,
 * because other work may keep the machine busy), it throws with the last value or error as cause.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 10 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
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
    await sleep(everyMs);
  }
}
