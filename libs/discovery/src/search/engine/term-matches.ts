import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Term } from '../text/text-query.js';
import type { TermVariant, Vocabulary } from '../text/vocabulary.js';
import { slotOf, type InvertedIndex, weightOf } from '../text/inverted-index.js';
import type { SlotWeights } from './slot-weights.js';

/** Term weights from 0 to 255 by weight number of the inverted index (see InvertedIndex). */
const IN_TITLE = [255, 255, 255, 255] as const;
const IN_PERFORMER = [230, 230, 60, 60] as const;
const IN_VENUE = [140, 140, 100, 40] as const;
const IN_KIND = [80, 80, 80, 80] as const;

export type TermMatches = Readonly<{
  /** Distinct, in no order. */
  slots: Uint32Array;
  /** Term weights: by slot if the term is in many events, else by position in `slots`. */
  weights: Uint8Array;
  bySlot: boolean;
  /** A taxonomy or a type has this name, so the word is not a misspelling. */
  isKind: boolean;
}>;

/** With `fuzzy` also the terms that the word may be a misspelling of. */
export function termVariants(
  vocabulary: Vocabulary,
  { word, term }: Pick<Term, 'word' | 'term'>,
  fuzzy: boolean,
): TermVariant[] {
  const asWritten = { term, similarity: 1 };
  if (!fuzzy) return [asWritten];
  // Half the weight: an exact match ranks before a fuzzy one.
  const variants = vocabulary.fuzzyMatches(word).filter((other) => other.term !== term);
  return [asWritten, ...variants.map((other) => ({ term: other.term, similarity: other.similarity / 2 }))];
}

/** Searches all texts of an event and of its venue and performers. `slotWeights` must be clear; it receives the weights. */
export function matchTerm(
  index: CatalogueIndex,
  slotWeights: SlotWeights,
  variants: readonly TermVariant[],
): TermMatches {
  const { events, venues, performers, kinds } = index;
  for (const { term, similarity } of variants) {
    for (const posting of events.titleWords.get(term))
      slotWeights.raise(slotOf(posting), weigh(IN_TITLE, posting, similarity));
  }
  const sets = weightsByKey(kinds.ofSets(), variants, events.taxonomySets.texts.length, IN_KIND);
  const types = weightsByKey(kinds.ofTypes(), variants, events.types.texts.length, IN_KIND);
  if (sets.length + types.length > 0) {
    const [set, type] = [events.taxonomySet.data, events.type.data];
    for (const slot of events.keys.order('id').all()) {
      slotWeights.raise(slot, Math.max(sets[set[slot] ?? 0] ?? 0, types[type[slot] ?? 0] ?? 0));
    }
  }
  const byVenue = weightsByKey(venues.words, variants, venues.slots.limit, IN_VENUE);
  for (let venue = 0; venue < byVenue.length; venue++) {
    const weight = byVenue[venue] ?? 0;
    if (weight > 0) for (const slot of events.eventsByVenue.get(venue)) slotWeights.raise(slot, weight);
  }
  const byPerformer = weightsByKey(performers.words, variants, performers.slots.limit, IN_PERFORMER);
  for (let performer = 0; performer < byPerformer.length; performer++) {
    const weight = byPerformer[performer] ?? 0;
    if (weight > 0) for (const part of events.eventsByPerformer.get(performer)) slotWeights.raise(part >>> 3, weight);
  }
  return { ...compact(slotWeights, events.slots.limit), isKind: sets.length > 0 || types.length > 0 };
}

type Weights = readonly [number, number, number, number];

const weigh = (weights: Weights, posting: number, similarity: number) =>
  Math.max(1, Math.round((weights[weightOf(posting)] ?? 0) * similarity));

const NO_WEIGHTS = new Uint8Array();

/** By slot; empty if no slot has the term. */
function weightsByKey(
  words: InvertedIndex,
  variants: readonly TermVariant[],
  limit: number,
  weights: Weights,
): Uint8Array {
  let table = NO_WEIGHTS;
  for (const { term, similarity } of variants) {
    for (const posting of words.get(term)) {
      if (table.length === 0) table = new Uint8Array(limit);
      const slot = slotOf(posting);
      table[slot] = Math.max(table[slot] ?? 0, weigh(weights, posting, similarity));
    }
  }
  return table;
}

// Share of all events. Below it a list of slots takes less memory than a column.
const SPARSE_SHARE = 1 / 8;

function compact(slotWeights: SlotWeights, limit: number): Pick<TermMatches, 'slots' | 'weights' | 'bySlot'> {
  const slots = slotWeights.slots().slice();
  if (slots.length > limit * SPARSE_SHARE) return { slots, weights: slotWeights.weights.slice(0, limit), bySlot: true };
  return { slots, weights: Uint8Array.from(slots, (slot) => slotWeights.weights[slot] ?? 0), bySlot: false };
}
