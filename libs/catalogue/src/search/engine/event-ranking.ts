import type { CatalogueIndex } from '../catalogue-index.js';
import type { Question } from '../text/question.js';
import { textHash } from '../text/text-hash.js';
import type { Compare } from './page.js';
import type { Marks } from './marks.js';

// An exact name goes before everything that merely has the words.
const CALLED_SO = { title: 3, performer: 2, venue: 1 } as const;
// What is over is seldom looked for.
const WHEN_OVER = 0.5;

/** Puts the best match first; of equal ones the earlier event. `weights` are sums over the terms by slot, `most` what they can be. */
export function byRelevance(
  { events, performers, venues }: CatalogueIndex,
  { key }: Question,
  { weights, most, called, now }: Readonly<{ weights: Float32Array; most: number; called: Marks; now: number }>,
): (slots: Uint32Array) => Compare {
  const title = textHash(key);
  for (const performer of performers.called(key)) {
    for (const part of events.ofPerformer.get(performer)) called.raise(part >>> 3, 1);
  }
  const isVenue = venues.isName(key);
  const score = events.keys.column('score').data;
  const utc = events.keys.column('datetime_utc').data;
  const [titles, shortTitles, until] = [events.title.data, events.shortTitle.data, events.visibleUntil.data];
  const relevanceOf = (slot: number) => {
    let relevance = most === 0 ? 0 : ((weights[slot] ?? 0) / most) * (0.5 + (score[slot] ?? 0) / 2);
    if (titles[slot] === title || shortTitles[slot] === title) relevance += CALLED_SO.title;
    if (called.weights[slot] !== 0) relevance += CALLED_SO.performer;
    if (isVenue && venues.nameIs(events.venue.get(slot), key)) relevance += CALLED_SO.venue;
    // Where the end is not known (NaN) the beginning counts.
    const end = until[slot] || (utc[slot] ?? 0);
    return end < now ? relevance * WHEN_OVER : relevance;
  };
  return (slots) => {
    for (const slot of slots) weights[slot] = relevanceOf(slot);
    const { ids } = events.slots;
    return (a, b) =>
      (weights[b] ?? 0) - (weights[a] ?? 0) || (utc[a] ?? 0) - (utc[b] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0);
  };
}
