/** Durations in milliseconds are counted in buckets that each are a quarter longer than the one before. */
const GROWTH = 1.25;
const LONGEST_MS = 60_000;

/** The first duration of each bucket but the first. */
export const BOUNDS: readonly number[] = boundsUntil(LONGEST_MS);

export const BUCKETS = BOUNDS.length + 1;

function boundsUntil(longest: number): number[] {
  const bounds = [1];
  for (let last = 1; last < longest; bounds.push(last)) last = Math.max(last + 1, Math.ceil(last * GROWTH));
  return bounds;
}

/**
 * An estimate of the duration that this part (0 to 1) of all does not exceed, in milliseconds. It lies in the right bucket, so it is wrong
 * by less than a quarter. Null without durations.
 */
export function percentile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const rank = Math.ceil(part * total);
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const first = BOUNDS[bucket - 1] ?? 0;
      const last = (BOUNDS[bucket] ?? first * GROWTH) - 1;
      return Math.round(first + ((last - first) * (rank - before - 0.5)) / count);
    }
    before += count;
  }
  return null;
}
