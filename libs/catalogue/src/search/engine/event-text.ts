import type { CatalogueIndex } from '../catalogue-index.js';
import type { Question, Term } from '../text/question.js';
import { byRelevance } from './event-ranking.js';
import { byTable, byTest, type Filter } from './filter.js';
import type { MarksPool } from './marks.js';
import type { Compare } from './page.js';
import { eventsWith, matchTerm, meanings, type TermMatch, weighIn } from './term-match.js';
import { whenTest } from './when-test.js';

/** A question put to the events. */
export type EventText = Readonly<{
  filters: readonly Filter[];
  /** The venues of the place that is named. */
  venues: Uint8Array | undefined;
  /** All that may match, when a word says so. */
  candidates: Readonly<{ size: number; slots: () => Uint32Array }> | undefined;
  /** Some word is so rare that it may have been meant as another. */
  mayMeanMore: boolean;
  /** Of slots that passed the filters. */
  ranking: (slots: Uint32Array) => Compare;
}>;

type Context = Readonly<{
  index: CatalogueIndex;
  pool: MarksPool;
  now: number;
  /** Sums of weights by slot, written for those that pass the filters; at least as long as there are slots. */
  weights: Float32Array;
  /** What a term weighs, for as many slots. */
  own: Uint8Array;
}>;

// A word that stands in more events than this was meant as it was written.
const RARE = 20;

/** `loosely`: rare words also count as what they may have been meant as. A word that nothing has is always taken so. */
export function eventText(context: Context, question: Question, loosely: boolean): EventText {
  const { index, pool, now, weights } = context;
  const { events } = index;
  const matches = question.terms
    .map((term) => ({ term, match: matched(context, term, loosely) }))
    // The fewest first, so that the others look at fewer; what is not required only adds to what is left.
    .sort((a, b) => Number(b.term.required) - Number(a.term.required) || a.match.size - b.match.size);
  const venues = question.place === undefined ? undefined : index.venues.inPlace(question.place);
  const filters = [
    ...question.when.map((when) => byTest(whenTest(events, when, now))),
    ...(venues ? [byTable(events.venue.data, venues)] : []),
    ...matches.map(({ term, match }, at) => adding(context, { term, match, first: at === 0 })),
  ];
  if (matches.length === 0) filters.push(settingZero(weights));
  const fewest = matches.find(({ term }) => term.required && !term.or)?.match;
  const countable = fewest && Number.isFinite(fewest.size) ? fewest : undefined;
  const candidates = countable && { size: countable.size, slots: () => eventsWith(index, countable) };
  const ranking = byRelevance(index, question, {
    weights,
    most: matches.length * 255,
    called: pool.take(events.slots.limit),
    now,
  });
  const mayMeanMore = matches.some(({ match }) => match.size < RARE);
  return { filters, venues, candidates, mayMeanMore, ranking };
}

function matched({ index, pool }: Context, term: Term, loosely: boolean): TermMatch {
  const asWritten = matchTerm(index, pool, [{ term: term.term, closeness: 1 }]);
  if (asWritten.size > (loosely ? RARE : 0)) return asWritten;
  return matchTerm(index, pool, meanings(index.vocabulary, term, true));
}

// What a time weighs that a word says.
const AT_THAT_TIME = 60;

/** Adds the weight of a term, and drops what has not a required one. */
function adding(
  { index, weights, own, now }: Context,
  { term, match, first }: Readonly<{ term: Term; match: TermMatch; first: boolean }>,
): Filter {
  const isThen = term.or && whenTest(index.events, term.or, now);
  const { required } = term;
  return (slots, count, into) => {
    weighIn(index, match, { slots, count, into: own });
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      let weight = own[at] ?? 0;
      if (weight === 0 && isThen?.(slot)) weight = AT_THAT_TIME;
      if (required && weight === 0) continue;
      weights[slot] = (first ? 0 : (weights[slot] ?? 0)) + weight;
      into[kept++] = slot;
    }
    return kept;
  };
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
