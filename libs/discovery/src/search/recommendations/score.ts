export type Weights<Key> = ReadonlyMap<Key, number>;

/** All but the first are from 0 to 1. */
export type Features = Readonly<{
  sharedPerformers: number;
  boughtTogether: number;
  genres: number;
  kinds: number;
}>;

// At the same place, a shared performer must outweigh all other features together: 1 - 0.65 * 0.7 * 0.7 < 0.7.
const SHARED_PERFORMER = 0.7;
const BOUGHT_TOGETHER = 0.35;
const GENRES = 0.3;
const KINDS = 0.3;

// Fine enough to order places half a metre apart in a range of 200 miles.
const SCORE_STEPS = 1_000_000;

/** The weighted Jaccard index: the weight of the intersection divided by the weight of the union. */
export function similarity<Key>(one: Weights<Key>, other: Weights<Key>): number {
  let [intersection, union] = [0, 0];
  for (const [key, weight] of one) {
    const othersWeight = other.get(key) ?? 0;
    intersection += Math.min(weight, othersWeight);
    union += Math.max(weight, othersWeight);
  }
  for (const [key, weight] of other) if (!one.has(key)) union += weight;
  return union === 0 ? 0 : intersection / union;
}

/** Noisy-or, from 0 to 1: each feature covers its share of what the others leave. */
export function affinity({ sharedPerformers, boughtTogether, genres, kinds }: Features): number {
  // Most events share none, and a power is slow.
  const remaining =
    (sharedPerformers === 0 ? 1 : (1 - SHARED_PERFORMER) ** sharedPerformers) *
    (1 - BOUGHT_TOGETHER * boughtTogether) *
    (1 - GENRES * genres) *
    (1 - KINDS * kinds);
  return 1 - remaining;
}

/** 1 at the centre, 0.5 at the end of the range. */
export function nearness(metres: number, rangeMetres: number): number {
  return 2 ** -(metres / rangeMetres);
}

/**
 * The rounded score, as shown and sorted by: above 0 and at most 1, or 0 if nothing is shared. Popularity is left out: it could put a farther
 * event before an otherwise equal nearer one.
 */
export function scoreOf(features: Features, near: number): number {
  const exact = affinity(features) * near;
  return exact > 0 ? Math.max(1, Math.round(exact * SCORE_STEPS)) / SCORE_STEPS : 0;
}
