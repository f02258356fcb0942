import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { TextQuery, Term } from '../text/text-query.js';
import type { Days } from '../text/time-phrases.js';
import { byRelevance, type Ranking } from './event-ranking.js';
import { byTable, byTest, type Filter } from './filter.js';
import type { TermCache } from './term-cache.js';
import type { SlotWeightsPool } from './slot-weights.js';
import type { TermMatches } from './term-matches.js';
import { daysAround, timePredicate } from './time-predicate.js';

export type EventTextQuery = Readonly<{
  filters: readonly Filter[];
  /** The venues of the place in the query. */
  venues: Uint8Array | undefined;
  /** Local days of the venue that contain the times in the query. */
  days: readonly Days[];
  /** All events that may match, if a required term limits them. */
  candidates: Uint32Array | undefined;
  /** Some word is so rare that it may be a misspelling. */
  hasRareTerm: boolean;
  ranking: Ranking;
}>;

type Context = Readonly<{
  index: CatalogueIndex;
  terms: TermCache;
  pool: SlotWeightsPool;
  now: number;
  /** Sums of weights by slot, written for the slots that pass the filters; at least as long as the number of slots. */
  weights: Float32Array;
}>;

// A word in more events than this is not a misspelling.
const RARE_EVENTS = 20;

/** `fuzzy`: a rare word also matches other spellings. This always applies to a word without matches. */
export function eventTextQuery(context: Context, query: TextQuery, fuzzy: boolean): EventTextQuery {
  const { index, pool, now, weights } = context;
  const { events } = index;
  const matches = query.terms
    .map((term) => ({ term, found: matchesFor(context, term, fuzzy) }))
    // The rarest required term first, so that later filters see fewer slots. Optional terms only add weight to the slots that are
    // left.
    .sort((a, b) => Number(b.term.required) - Number(a.term.required) || a.found.slots.length - b.found.slots.length);
  const venues = query.place === undefined ? undefined : index.venues.inPlace(query.place);
  const filters = [
    ...(venues ? [byTable(events.venue.data, venues)] : []),
    ...matches.map(({ term, found }, at) => addTermWeight(context, { term, found, first: at === 0 })),
    // Last, because the local day of a venue is expensive.
    ...query.when.map((time) => byTest(timePredicate(events, time, now))),
  ];
  if (matches.length === 0) filters.push(resetWeights(weights));
  const days = query.when.flatMap((when) => daysAround(when, now) ?? []);
  const candidates = matches.find(({ term }) => term.required && !term.or)?.found.slots;
  const ranking = byRelevance(index, query, {
    weights,
    most: matches.length * 255,
    called: pool.take(events.slots.limit),
    now,
  });
  const hasRareTerm = matches.some(({ found }) => isRare(found, RARE_EVENTS - 1));
  return { filters, venues, days, candidates, hasRareTerm, ranking };
}

function matchesFor({ terms }: Context, term: Term, fuzzy: boolean): TermMatches {
  const asWritten = terms.find(term, false);
  return isRare(asWritten, fuzzy ? RARE_EVENTS : 0) ? terms.find(term, true) : asWritten;
}

const isRare = ({ slots, isKind }: TermMatches, most: number) => !isKind && slots.length <= most;

const TIME_WEIGHT = 60;

/** Drops the slots without a required term. */
function addTermWeight(
  { index, pool, weights, now }: Context,
  { term, found, first }: Readonly<{ term: Term; found: TermMatches; first: boolean }>,
): Filter {
  const matchesTime = term.or && timePredicate(index.events, term.or, now);
  const { required } = term;
  return (slots, count, into) => {
    const termWeights = weightsBySlot(found, pool, index.events.slots.limit);
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      let weight = termWeights[slot] ?? 0;
      if (weight === 0 && matchesTime?.(slot)) weight = TIME_WEIGHT;
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

const resetWeights =
  (weights: Float32Array): Filter =>
  (slots, count, into) => {
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      weights[slot] = 0;
      into[at] = slot;
    }
    return count;
  };
