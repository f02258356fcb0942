import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Term } from '../text/text-query.js';
import type { TermVariant, Vocabulary } from '../text/vocabulary.js';
import { slotOf, type InvertedIndex, weightOf } from '../text/inverted-index.js';
import type { SlotWeights } from './slot-weights.js';

/** Term weights by field, from 0 to 255, in the order of the texts of an inverted index (title, name, place, kind). */
const IN_TITLE = [255, 255, 255, 255] as const;
const IN_PERFORMER = [230, 230, 60, 60] as const;
const IN_VENUE = [140, 140, 100, 40] as const;
const IN_KIND = [80, 80, 80, 80] as const;

/** The events that match a term. */
export type TermMatches = Readonly<{
  /** Each once, in no order. */
  slots: Uint32Array;
  /** Term weights: by slot if the term is in many events, else by position in `slots`. */
  weights: Uint8Array;
  bySlot: boolean;
  /** A taxonomy or a type has this name, so the word is not a misspelling. */
  isKind: boolean;
}>;

/** The term of a word; with `fuzzy` also the terms that it may be a misspelling of. */
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

/** Looks a term up in all texts of an event and of its venue and performers; writes into `slotWeights`, which must be clear. */
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
  const sets = tableOf(kinds.ofSets(), variants, events.taxonomySets.texts.length, IN_KIND);
  const types = tableOf(kinds.ofTypes(), variants, events.types.texts.length, IN_KIND);
  if (sets.length + types.length > 0) {
    const [set, type] = [events.taxonomySet.data, events.type.data];
    for (const slot of events.keys.order('id').all()) {
      slotWeights.raise(slot, Math.max(sets[set[slot] ?? 0] ?? 0, types[type[slot] ?? 0] ?? 0));
    }
  }
  const byVenue = tableOf(venues.words, variants, venues.slots.limit, IN_VENUE);
  for (let venue = 0; venue < byVenue.length; venue++) {
    const weight = byVenue[venue] ?? 0;
    if (weight > 0) for (const slot of events.atVenue.get(venue)) slotWeights.raise(slot, weight);
  }
  const byPerformer = tableOf(performers.words, variants, performers.slots.limit, IN_PERFORMER);
  for (let performer = 0; performer < byPerformer.length; performer++) {
    const weight = byPerformer[performer] ?? 0;
    if (weight > 0) for (const part of events.ofPerformer.get(performer)) slotWeights.raise(part >>> 3, weight);
  }
  return { ...copied(slotWeights, events.slots.limit), isKind: sets.length > 0 || types.length > 0 };
}

type Weights = readonly [number, number, number, number];

const weigh = (weights: Weights, posting: number, similarity: number) =>
  Math.max(1, Math.round((weights[weightOf(posting)] ?? 0) * similarity));

const NOWHERE = new Uint8Array();

/** The weight by slot; empty if nothing has the term. */
function tableOf(words: InvertedIndex, variants: readonly TermVariant[], limit: number, weights: Weights): Uint8Array {
  let table = NOWHERE;
  for (const { term, similarity } of variants) {
    for (const posting of words.get(term)) {
      if (table.length === 0) table = new Uint8Array(limit);
      const slot = slotOf(posting);
      table[slot] = Math.max(table[slot] ?? 0, weigh(weights, posting, similarity));
    }
  }
  return table;
}

// Of all events: in fewer a list is shorter than a column.
const FEW = 1 / 8;

function copied(slotWeights: SlotWeights, limit: number): Pick<TermMatches, 'slots' | 'weights' | 'bySlot'> {
  const slots = slotWeights.slots().slice();
  if (slots.length > limit * FEW) return { slots, weights: slotWeights.weights.slice(0, limit), bySlot: true };
  return { slots, weights: Uint8Array.from(slots, (slot) => slotWeights.weights[slot] ?? 0), bySlot: false };
}
