/** The next ones of a replay that are let go: the first at `firstMs`, the others `everyMs` after each other. */
export type Slots = Readonly<{ firstMs: number; everyMs: number; count: number; nextMs: number }>;

/**
 * The slots from `nextMs` on, where the last ones have ended, that lie before `untilMs` (milliseconds since the epoch); at
 * most `most`. Time in which nothing was let go is not made up for.
 */
export function slotsOf(
  replay: Readonly<{ nextMs: number; perSecond: number }>,
  time: Readonly<{ nowMs: number; untilMs: number }>,
  most: number,
): Slots {
  const everyMs = 1_000 / replay.perSecond;
  const firstMs = Math.max(replay.nextMs, time.nowMs);
  const count = Math.max(0, Math.min(most, Math.ceil((time.untilMs - firstMs) / everyMs)));
  return { firstMs, everyMs, count, nextMs: firstMs + count * everyMs };
}
