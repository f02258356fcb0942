import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { TextQuery } from '../text/text-query.js';
import { textHash } from '../text/text-hash.js';
import type { Compare } from './page.js';
import type { SlotWeights } from './slot-weights.js';

/** In no order. Contains all slots that may rank among the best. May share memory with the input. */
type Ranked = Readonly<{ slots: Uint32Array; compare: Compare }>;

/** Only the first `needed` of the result will be read. */
export type Ranking = (slots: Uint32Array, needed: number) => Ranked;

// An exact name ranks before any match of single words.
const EXACT_NAME_BONUS = { title: 3, performer: 2, venue: 1 } as const;
// Few users search for past events.
const PAST_EVENT_FACTOR = 0.5;
// For short pages a list of the best scores is kept, so that most slots need no more than their own score.
const CARRIED = 64;

/** The best match first; ties by date. `weights` are sums over the terms by slot, `most` is their maximum. */
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
      // Compared with the precision in which scores are stored. A slot that ties with the last one may still be an earlier event.
      if (Math.fround(relevance) < best.least) continue;
      // If the end is unknown (NaN), the start counts.
      const end = until[slot] || (utc[slot] ?? 0);
      weights[slot] = end < now ? relevance * PAST_EVENT_FACTOR : relevance;
      slots[kept++] = slot;
      best.add(weights[slot] ?? 0);
    }
    return { slots: slots.subarray(0, kept), compare };
  };
}

/** The bonus for an exact name; undefined if nothing has this name. */
function nameBonus(
  { events, performers, venues }: CatalogueIndex,
  key: string,
  called: SlotWeights,
): ((slot: number) => number) | undefined {
  for (const performer of performers.withName(key)) {
    for (const part of events.eventsByPerformer.get(performer)) called.raise(part >>> 3, 1);
  }
  const isVenue = venues.isName(key);
  if (!events.isTitle(key) && called.count === 0 && !isVenue) return undefined;
  const title = textHash(key);
  const [titles, shortTitles] = [events.title.data, events.shortTitle.data];
  return (slot) => {
    let bonus = 0;
    if (titles[slot] === title || shortTitles[slot] === title) bonus += EXACT_NAME_BONUS.title;
    if (called.weights[slot] !== 0) bonus += EXACT_NAME_BONUS.performer;
    if (isVenue && venues.hasName(events.venue.get(slot), key)) bonus += EXACT_NAME_BONUS.venue;
    return bonus;
  };
}

/** Tracks the lowest of the `most` highest numbers; -Infinity while there are fewer. */
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
