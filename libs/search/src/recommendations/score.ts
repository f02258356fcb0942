/** A weight above 0 for each of some things. */
export type Weights<Thing> = ReadonlyMap<Thing, number>;

/** What an event and a profile have in common. All but the first are from 0 to 1. */
export type Ties = Readonly<{
  /** So many of the performers who are liked take part. */
  sharedPerformers: number;
  boughtTogether: number;
  genres: number;
  kinds: number;
}>;

// At the same place an event with a performer who is liked outdoes all that is merely alike: 1 - 0.65 * 0.7 * 0.7 < 0.7.
const SHARED_PERFORMER = 0.7;
const BOUGHT_TOGETHER = 0.35;
const GENRES = 0.3;
const KINDS = 0.3;

// Half a metre makes a difference in a range of 200 miles.
const STEPS = 1_000_000;

/** From 0 to 1: the weight of what both have in that of what one of them has (weighted Jaccard index). */
export function similarity<Thing>(one: Weights<Thing>, other: Weights<Thing>): number {
  let [both, either] = [0, 0];
  for (const [thing, weight] of one) {
    const othersWeight = other.get(thing) ?? 0;
    both += Math.min(weight, othersWeight);
    either += Math.max(weight, othersWeight);
  }
  for (const [thing, weight] of other) if (!one.has(thing)) either += weight;
  return either === 0 ? 0 : both / either;
}

/** From 0 to 1: each tie takes its part of what those before it have left (noisy or). */
export function affinity({ sharedPerformers, boughtTogether, genres, kinds }: Ties): number {
  // Most share none, and powers are slow.
  const left =
    (sharedPerformers === 0 ? 1 : (1 - SHARED_PERFORMER) ** sharedPerformers) *
    (1 - BOUGHT_TOGETHER * boughtTogether) *
    (1 - GENRES * genres) *
    (1 - KINDS * kinds);
  return 1 - left;
}

/** 1 here, a half at the end of the range. */
export function nearness(metres: number, rangeMetres: number): number {
  return 2 ** -(metres / rangeMetres);
}

/** As it is shown and sorted by: above 0 and at most 1; 0 for what has nothing to do with it. */
export function scoreOf(ties: Ties, near: number): number {
  const exact = affinity(ties) * near;
  return exact > 0 ? Math.max(1, Math.round(exact * STEPS)) / STEPS : 0;
}
