import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { TextQuery } from '../text/text-query.js';
import { textHash } from '../text/text-hash.js';
import type { Compare } from './page.js';
import type { SlotWeights } from './slot-weights.js';

/** The first of what was found, and all that may stand among them, in no order; they may lie where the rest lay. */
export type Ranked = Readonly<{ slots: Uint32Array; compare: Compare }>;

/** Ranks slots that passed the filters; only the first `needed` will be looked at. */
export type Ranking = (slots: Uint32Array, needed: number) => Ranked;

// An exact name goes before everything that merely has the words.
const CALLED_SO = { title: 3, performer: 2, venue: 1 } as const;
// What is over is seldom looked for.
const WHEN_OVER = 0.5;
// Up to here the best are carried along, and most of the others are weighed no further than to see that they are worse.
const CARRIED = 64;

/** Puts the best match first; of equal ones the earlier event. `weights` are sums over the terms by slot, `most` what they can be. */
export function byRelevance(
  index: CatalogueIndex,
  { key }: TextQuery,
  { weights, most, called, now }: Readonly<{ weights: Float32Array; most: number; called: SlotWeights; now: number }>,
): Ranking {
  const { events } = index;
  const { ids } = events.slots;
  const score = events.keys.column('score').data;
  const utc = events.keys.column('datetime_utc').data;
  const until = events.visibleUntil.data;
  const bonusOf = nameBonus(index, key, called);
  const compare: Compare = (a, b) =>
    (weights[b] ?? 0) - (weights[a] ?? 0) || (utc[a] ?? 0) - (utc[b] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0);
  return (slots, needed) => {
    const best = new TopScores(needed <= CARRIED ? needed : Infinity);
    let kept = 0;
    for (const slot of slots) {
      const match = most === 0 ? 0 : ((weights[slot] ?? 0) / most) * (0.5 + (score[slot] ?? 0) / 2);
      const relevance = bonusOf ? match + bonusOf(slot) : match;
      // As it would be kept: what is as good as the last may be earlier.
      if (Math.fround(relevance) < best.least) continue;
      // Where the end is not known (NaN) the beginning counts.
      const end = until[slot] || (utc[slot] ?? 0);
      weights[slot] = end < now ? relevance * WHEN_OVER : relevance;
      slots[kept++] = slot;
      best.add(weights[slot] ?? 0);
    }
    return { slots: slots.subarray(0, kept), compare };
  };
}

/** What an exact name adds; undefined when nothing is called so. */
function nameBonus(
  { events, performers, venues }: CatalogueIndex,
  key: string,
  called: SlotWeights,
): ((slot: number) => number) | undefined {
  for (const performer of performers.called(key)) {
    for (const part of events.ofPerformer.get(performer)) called.raise(part >>> 3, 1);
  }
  const isVenue = venues.isName(key);
  if (!events.isTitle(key) && called.count === 0 && !isVenue) return undefined;
  const title = textHash(key);
  const [titles, shortTitles] = [events.title.data, events.shortTitle.data];
  return (slot) => {
    let bonus = 0;
    if (titles[slot] === title || shortTitles[slot] === title) bonus += CALLED_SO.title;
    if (called.weights[slot] !== 0) bonus += CALLED_SO.performer;
    if (isVenue && venues.nameIs(events.venue.get(slot), key)) bonus += CALLED_SO.venue;
    return bonus;
  };
}

/** The least of the `most` highest numbers so far; there is none as long as there are fewer. */
class TopScores {
  least = -Infinity;
  private readonly numbers: number[] = [];

  constructor(private readonly most: number) {}

  add(number: number): void {
    const { numbers, most } = this;
    if (number <= this.least || most === Infinity) return;
    let at = Math.min(numbers.length, most - 1);
    for (; at > 0 && number > (numbers[at - 1] ?? 0); at--) numbers[at] = numbers[at - 1] ?? 0;
    numbers[at] = number;
    if (numbers.length === most) this.least = numbers[most - 1] ?? 0;
  }
}
