import type { CatalogueIndex } from '../catalogue-index.js';
import type { Term } from '../text/question.js';
import type { Meant, Vocabulary } from '../text/vocabulary.js';
import { slotOf, type WordIndex, weightOf } from '../text/word-index.js';
import type { Marks, MarksPool } from './marks.js';

/** What a term weighs by where it stands, as a part of 255; the places of a word index (title, name, place, kind) in its order. */
const IN_TITLE = [255, 255, 255, 255] as const;
const IN_PERFORMER_NAME = [230, 230, 0, 0] as const;
const IN_PERFORMER_KIND = [0, 0, 60, 60] as const;
const IN_VENUE = [140, 140, 100, 40] as const;
const IN_KIND = [80, 80, 80, 80] as const;

/**
 * Where a term stands: `marks` by event. What many events share (a city, a kind) is left in tables by what they share, for
 * marking all those events costs more than looking up the few that are left when the other terms were looked at.
 */
export type TermMatch = Readonly<{
  marks: Marks;
  byPerformer: Uint8Array;
  byVenue: Uint8Array;
  bySet: Uint8Array;
  byType: Uint8Array;
  /** How many events it stands in, at most; infinite when nobody counts them. */
  size: number;
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

// Of all events: with more than this part a term is not worth marking.
const FEW = 1 / 32;

/** Looks a term up in everything that an event is made of. */
export function matchTerm(index: CatalogueIndex, pool: MarksPool, meant: readonly Meant[]): TermMatch {
  const { events, venues, performers, kinds } = index;
  const marks = pool.take(events.slots.limit);
  for (const { term, closeness } of meant) {
    for (const posting of events.titleWords.get(term))
      marks.raise(slotOf(posting), weigh(IN_TITLE, posting, closeness));
  }
  const { limit } = performers.slots;
  mark(marks, tableOf(performers.words, meant, limit, IN_PERFORMER_NAME), events.ofPerformer);
  const byPerformer = tableOf(performers.words, meant, limit, IN_PERFORMER_KIND);
  const byVenue = tableOf(venues.words, meant, venues.slots.limit, IN_VENUE);
  const bySet = tableOf(kinds.ofSets(), meant, events.taxonomySets.texts.length, IN_KIND);
  const byType = tableOf(kinds.ofTypes(), meant, events.types.texts.length, IN_KIND);
  const few = events.slots.count * FEW;
  const performersMarked = countIn(byPerformer, events.ofPerformer, few) <= few;
  if (performersMarked) mark(marks, byPerformer, events.ofPerformer);
  const isKind = bySet.length > 0 || byType.length > 0;
  return {
    marks,
    byPerformer: performersMarked ? NOWHERE : byPerformer,
    byVenue,
    bySet,
    byType,
    size: performersMarked && !isKind ? marks.count + countIn(byVenue, events.atVenue, Infinity) : Infinity,
  };
}

/** The slots of all events in which a term stands; only of one with a size. */
export function eventsWith({ events }: CatalogueIndex, { marks, byVenue, size }: TermMatch): Uint32Array {
  if (byVenue.length === 0) return marks.slots();
  const venue = events.venue.data;
  const found = new Uint32Array(size);
  let count = 0;
  for (const slot of marks.slots()) if (byVenue[venue[slot] ?? 0] === 0) found[count++] = slot;
  for (let key = 0; key < byVenue.length; key++) {
    if (byVenue[key] === 0) continue;
    for (const slot of events.atVenue.get(key)) found[count++] = slot;
  }
  return found.subarray(0, count);
}

/** Writes what the term weighs in each of the first `count` slots, 0 where it does not stand in it: table by table, in loops that do little. */
export function weighIn(
  { events }: CatalogueIndex,
  { marks, byPerformer, byVenue, bySet, byType }: TermMatch,
  { slots, count, into }: Readonly<{ slots: Uint32Array; count: number; into: Uint8Array }>,
): void {
  const { weights } = marks;
  for (let at = 0; at < count; at++) into[at] = weights[slots[at] ?? 0] ?? 0;
  const shared = [
    [byVenue, events.venue.data],
    [bySet, events.taxonomySet.data],
    [byType, events.type.data],
  ] as const;
  for (const [table, column] of shared) {
    if (table.length === 0) continue;
    for (let at = 0; at < count; at++) {
      const weight = table[column[slots[at] ?? 0] ?? 0] ?? 0;
      if (weight > (into[at] ?? 0)) into[at] = weight;
    }
  }
  if (byPerformer.length > 0) weighPerformers(events, byPerformer, { slots, count, into });
}

function weighPerformers(
  { cast, firstPerformer, secondPerformer, performers }: CatalogueIndex['events'],
  table: Uint8Array,
  { slots, count, into }: Readonly<{ slots: Uint32Array; count: number; into: Uint8Array }>,
): void {
  const most = table.reduce((greatest, weight) => Math.max(greatest, weight), 0);
  const [numbers, firsts, seconds] = [cast.data, firstPerformer.data, secondPerformer.data];
  for (let at = 0; at < count; at++) {
    let weight = into[at] ?? 0;
    if (weight >= most) continue;
    const slot = slots[at] ?? 0;
    const number = numbers[slot] ?? 0;
    if (number > 0) weight = Math.max(weight, table[firsts[slot] ?? 0] ?? 0);
    if (number > 1) weight = Math.max(weight, table[seconds[slot] ?? 0] ?? 0);
    // Few have more; their lists lie elsewhere in memory, which is what takes the time.
    if (number > 2) for (const part of performers[slot] ?? []) weight = Math.max(weight, table[part >>> 3] ?? 0);
    into[at] = weight;
  }
}

type Weights = readonly [number, number, number, number];

const NOWHERE = new Uint8Array();

const weigh = (weights: Weights, posting: number, closeness: number) =>
  Math.max(1, Math.round((weights[weightOf(posting)] ?? 0) * closeness));

/** The weight by slot; empty when the term stands nowhere. */
function tableOf(words: WordIndex, meant: readonly Meant[], limit: number, weights: Weights): Uint8Array {
  let table = NOWHERE;
  for (const { term, closeness } of meant) {
    for (const posting of words.get(term)) {
      if (weights[weightOf(posting)] === 0) continue;
      if (table.length === 0) table = new Uint8Array(limit);
      const slot = slotOf(posting);
      table[slot] = Math.max(table[slot] ?? 0, weigh(weights, posting, closeness));
    }
  }
  return table;
}

type EventLists = Readonly<{ get(key: number): readonly number[] }>;

/** Counts no further than it matters. */
function countIn(table: Uint8Array, lists: EventLists, most: number): number {
  let total = 0;
  for (let key = 0; key < table.length && total <= most; key++) if (table[key] !== 0) total += lists.get(key).length;
  return total;
}

/** Marks the events of all performers that have a weight. */
function mark(marks: Marks, table: Uint8Array, lists: EventLists): void {
  for (let key = 0; key < table.length; key++) {
    const weight = table[key] ?? 0;
    if (weight === 0) continue;
    for (const part of lists.get(key)) marks.raise(part >>> 3, weight);
  }
}
