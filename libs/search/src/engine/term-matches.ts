import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Term } from '../text/text-query.js';
import type { Meant, Vocabulary } from '../text/vocabulary.js';
import { slotOf, type WordIndex, weightOf } from '../text/inverted-index.js';
import type { Marks } from './slot-weights.js';

/** What a term weighs by where it stands, as a part of 255; the places of a word index (title, name, place, kind) in its order. */
const IN_TITLE = [255, 255, 255, 255] as const;
const IN_PERFORMER = [230, 230, 60, 60] as const;
const IN_VENUE = [140, 140, 100, 40] as const;
const IN_KIND = [80, 80, 80, 80] as const;

/** The events in which a term stands. */
export type TermEvents = Readonly<{
  /** Each once, in no order. */
  slots: Uint32Array;
  /** What it weighs, by slot where it stands in many events, else by place in `slots`. */
  weights: Uint8Array;
  bySlot: boolean;
  /** A taxonomy or a type is called so: then it was not meant as another word. */
  isKind: boolean;
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

/** Looks a term up in everything that an event is made of; writes into `marks`, which must be clear. */
export function findTerm(index: CatalogueIndex, marks: Marks, meant: readonly Meant[]): TermEvents {
  const { events, venues, performers, kinds } = index;
  for (const { term, closeness } of meant) {
    for (const posting of events.titleWords.get(term))
      marks.raise(slotOf(posting), weigh(IN_TITLE, posting, closeness));
  }
  const sets = tableOf(kinds.ofSets(), meant, events.taxonomySets.texts.length, IN_KIND);
  const types = tableOf(kinds.ofTypes(), meant, events.types.texts.length, IN_KIND);
  if (sets.length + types.length > 0) {
    const [set, type] = [events.taxonomySet.data, events.type.data];
    for (const slot of events.keys.order('id').all()) {
      marks.raise(slot, Math.max(sets[set[slot] ?? 0] ?? 0, types[type[slot] ?? 0] ?? 0));
    }
  }
  const byVenue = tableOf(venues.words, meant, venues.slots.limit, IN_VENUE);
  for (let venue = 0; venue < byVenue.length; venue++) {
    const weight = byVenue[venue] ?? 0;
    if (weight > 0) for (const slot of events.atVenue.get(venue)) marks.raise(slot, weight);
  }
  const byPerformer = tableOf(performers.words, meant, performers.slots.limit, IN_PERFORMER);
  for (let performer = 0; performer < byPerformer.length; performer++) {
    const weight = byPerformer[performer] ?? 0;
    if (weight > 0) for (const part of events.ofPerformer.get(performer)) marks.raise(part >>> 3, weight);
  }
  return { ...copied(marks, events.slots.limit), isKind: sets.length > 0 || types.length > 0 };
}

type Weights = readonly [number, number, number, number];

const weigh = (weights: Weights, posting: number, closeness: number) =>
  Math.max(1, Math.round((weights[weightOf(posting)] ?? 0) * closeness));

const NOWHERE = new Uint8Array();

/** The weight by slot; empty when the term stands nowhere. */
function tableOf(words: WordIndex, meant: readonly Meant[], limit: number, weights: Weights): Uint8Array {
  let table = NOWHERE;
  for (const { term, closeness } of meant) {
    for (const posting of words.get(term)) {
      if (table.length === 0) table = new Uint8Array(limit);
      const slot = slotOf(posting);
      table[slot] = Math.max(table[slot] ?? 0, weigh(weights, posting, closeness));
    }
  }
  return table;
}

// Of all events: in fewer a list is shorter than a column.
const FEW = 1 / 8;

function copied(marks: Marks, limit: number): Pick<TermEvents, 'slots' | 'weights' | 'bySlot'> {
  const slots = marks.slots().slice();
  if (slots.length > limit * FEW) return { slots, weights: marks.weights.slice(0, limit), bySlot: true };
  return { slots, weights: Uint8Array.from(slots, (slot) => marks.weights[slot] ?? 0), bySlot: false };
}
