import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { TextQuery, Term } from '../text/text-query.js';
import type { Days } from '../text/time-phrases.js';
import { byRelevance, type Ranking } from './event-ranking.js';
import { byTable, byTest, type Filter } from './filter.js';
import type { TermCache } from './term-cache.js';
import type { SlotWeightsPool } from './slot-weights.js';
import type { TermMatches } from './term-matches.js';
import { daysAround, timePredicate } from './time-predicate.js';

/** A query put to the events. */
export type EventTextQuery = Readonly<{
  filters: readonly Filter[];
  /** The venues of the place that is named. */
  venues: Uint8Array | undefined;
  /** Days at the venue within which the times lie that are named. */
  days: readonly Days[];
  /** All that may match, when a word says so. */
  candidates: Uint32Array | undefined;
  /** Some word is so rare that it may have been meant as another. */
  hasRareTerm: boolean;
  ranking: Ranking;
}>;

type Context = Readonly<{
  index: CatalogueIndex;
  terms: TermCache;
  pool: SlotWeightsPool;
  now: number;
  /** Sums of weights by slot, written for those that pass the filters; at least as long as there are slots. */
  weights: Float32Array;
}>;

// A word that stands in more events than this was meant as it was written.
const RARE = 20;

/** `fuzzy`: rare words also count as what they may have been meant as. A word that nothing has is always taken so. */
export function eventTextQuery(context: Context, query: TextQuery, fuzzy: boolean): EventTextQuery {
  const { index, pool, now, weights } = context;
  const { events } = index;
  const matches = query.terms
    .map((term) => ({ term, found: foundFor(context, term, fuzzy) }))
    // The fewest first, so that the others look at fewer; what is not required only adds to what is left.
    .sort((a, b) => Number(b.term.required) - Number(a.term.required) || a.found.slots.length - b.found.slots.length);
  const venues = query.place === undefined ? undefined : index.venues.inPlace(query.place);
  const filters = [
    ...(venues ? [byTable(events.venue.data, venues)] : []),
    ...matches.map(({ term, found }, at) => adding(context, { term, found, first: at === 0 })),
    // To tell the day at the venue takes longer.
    ...query.when.map((when) => byTest(timePredicate(events, when, now))),
  ];
  if (matches.length === 0) filters.push(settingZero(weights));
  const days = query.when.flatMap((when) => daysAround(when, now) ?? []);
  const candidates = matches.find(({ term }) => term.required && !term.or)?.found.slots;
  const ranking = byRelevance(index, query, {
    weights,
    most: matches.length * 255,
    called: pool.take(events.slots.limit),
    now,
  });
  const hasRareTerm = matches.some(({ found }) => isRare(found, RARE - 1));
  return { filters, venues, days, candidates, hasRareTerm, ranking };
}

function foundFor({ terms }: Context, term: Term, fuzzy: boolean): TermMatches {
  const asWritten = terms.find(term, false);
  return isRare(asWritten, fuzzy ? RARE : 0) ? terms.find(term, true) : asWritten;
}

const isRare = ({ slots, isKind }: TermMatches, most: number) => !isKind && slots.length <= most;

// What a time weighs that a word says.
const AT_THAT_TIME = 60;

/** Adds the weight of a term, and drops what has not a required one. */
function adding(
  { index, pool, weights, now }: Context,
  { term, found, first }: Readonly<{ term: Term; found: TermMatches; first: boolean }>,
): Filter {
  const isThen = term.or && timePredicate(index.events, term.or, now);
  const { required } = term;
  return (slots, count, into) => {
    const own = weightsBySlot(found, pool, index.events.slots.limit);
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      let weight = own[slot] ?? 0;
      if (weight === 0 && isThen?.(slot)) weight = AT_THAT_TIME;
      if (required && weight === 0) continue;
      weights[slot] = (first ? 0 : (weights[slot] ?? 0)) + weight;
      into[kept++] = slot;
    }
    return kept;
  };
}

function weightsBySlot({ slots, weights, bySlot }: TermMatches, pool: SlotWeightsPool, limit: number): Uint8Array {
  if (bySlot) return weights;
  const slotWeights = pool.take(limit);
  slotWeights.fill(slots, weights);
  return slotWeights.weights;
}

const settingZero =
  (weights: Float32Array): Filter =>
  (slots, count, into) => {
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      weights[slot] = 0;
      into[at] = slot;
    }
    return count;
  };
