import type { CatalogueIndex } from '../catalogue-index.js';
import type { Meant, Vocabulary } from '../text/vocabulary.js';
import type { Term } from '../text/question.js';
import { slotOf, type WordIndex, weightOf } from '../text/word-index.js';
import type { Marks, MarksPool } from './marks.js';

/** What a term weighs by where it stands, as a part of 255; the places of a word index (title, name, place, kind) in its order. */
const IN_TITLE = 255;
const IN_PERFORMER = [230, 230, 60, 60] as const;
const IN_VENUE = [140, 140, 100, 40] as const;
const IN_KIND = 80;

/** Where a term stands in events: `marks` by event; the tables by venue, by set of taxonomies and by type. */
export type TermMatch = Readonly<{
  marks: Marks;
  byVenue: Uint8Array;
  bySet: Uint8Array;
  byType: Uint8Array;
  /** All of it is in `marks`. */
  enumerated: boolean;
}>;

/** A word as it stands, or as it may have been meant. */
export function meanings(
  vocabulary: Vocabulary,
  { word, term }: Pick<Term, 'word' | 'term'>,
  loosely: boolean,
): Meant[] {
  const asWritten = { term, closeness: 1 };
  if (!loosely) return [asWritten];
  // Half the weight: what was written counts before what may have been meant.
  const meant = vocabulary.meantBy(word).filter((other) => other.term !== term);
  return [asWritten, ...meant.map((other) => ({ term: other.term, closeness: other.closeness / 2 }))];
}

/** Looks a term up in everything that an event is made of. */
export function matchTerm(index: CatalogueIndex, pool: MarksPool, meant: readonly Meant[]): TermMatch {
  const { events, venues, performers, kinds } = index;
  const marks = pool.take(events.slots.limit);
  const byVenue = new Uint8Array(venues.slots.limit);
  const bySet = new Uint8Array(events.taxonomySets.texts.length);
  const byType = new Uint8Array(events.types.texts.length);
  for (const { term, closeness } of meant) {
    for (const posting of events.titleWords.get(term)) marks.raise(slotOf(posting), weigh(IN_TITLE, closeness));
    for (const posting of performers.words.get(term)) {
      const weight = weigh(IN_PERFORMER[weightOf(posting)] ?? 0, closeness);
      for (const part of events.ofPerformer.get(slotOf(posting))) marks.raise(part >>> 3, weight);
    }
    raiseAll(byVenue, venues.words, term, (weight) => weigh(IN_VENUE[weight] ?? 0, closeness));
    raiseAll(bySet, kinds.ofSets(), term, () => weigh(IN_KIND, closeness));
    raiseAll(byType, kinds.ofTypes(), term, () => weigh(IN_KIND, closeness));
  }
  const enumerated = !bySet.some(Boolean) && !byType.some(Boolean) && markVenues(index, byVenue, marks);
  return { marks, byVenue, bySet, byType, enumerated };
}

export const matchesNothing = ({ enumerated, marks }: TermMatch): boolean => enumerated && marks.count === 0;

const weigh = (weight: number, closeness: number) => Math.max(1, Math.round(weight * closeness));

function raiseAll(table: Uint8Array, words: WordIndex, term: string, weigh: (weight: number) => number): void {
  for (const posting of words.get(term)) {
    const slot = slotOf(posting);
    table[slot] = Math.max(table[slot] ?? 0, weigh(weightOf(posting)));
  }
}

/** Marks the events at the venues of a table, unless they are so many that looking at every event is cheaper; tells whether it did. */
function markVenues({ events }: CatalogueIndex, byVenue: Uint8Array, marks: Marks): boolean {
  let total = 0;
  for (let venue = 0; venue < byVenue.length; venue++) {
    if (byVenue[venue] !== 0) total += events.atVenue.get(venue).length;
  }
  if (total * 4 > events.slots.count) return false;
  for (let venue = 0; venue < byVenue.length; venue++) {
    const weight = byVenue[venue] ?? 0;
    if (weight === 0) continue;
    for (const slot of events.atVenue.get(venue)) marks.raise(slot, weight);
  }
  return true;
}
