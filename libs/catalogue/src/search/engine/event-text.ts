import type { CatalogueIndex } from '../catalogue-index.js';
import type { Question } from '../text/question.js';
import { byRelevance } from './event-ranking.js';
import { byTable, byTest, type Filter } from './filter.js';
import type { MarksPool } from './marks.js';
import type { Compare } from './page.js';
import { matchesNothing, matchTerm, meanings, type TermMatch } from './term-match.js';
import { whenTest } from './when-test.js';

/** A question put to the events. */
export type EventText = Readonly<{
  filters: readonly Filter[];
  /** All that may match, when they are few; undefined when every event has to be looked at. */
  candidates: Uint32Array | undefined;
  /** Of slots that passed the filters. */
  ranking: (slots: Uint32Array) => Compare;
}>;

type Context = Readonly<{
  index: CatalogueIndex;
  pool: MarksPool;
  now: number;
  /** Sums of weights by slot, written for those that pass the filters; at least as long as there are slots. */
  weights: Float32Array;
}>;

/** `loosely`: words also count as what they may have been meant as. A word that nothing has is always taken so. */
export function eventText(context: Context, question: Question, loosely: boolean): EventText {
  const { index, pool, now, weights } = context;
  const { events, venues, vocabulary } = index;
  const filters: Filter[] = question.when.map((when) => byTest(whenTest(events, when, now)));
  if (question.place !== undefined) filters.push(byTable(events.venue.data, venues.inPlace(question.place)));
  const matches = question.terms.map((term) => {
    const asWritten = matchTerm(index, pool, meanings(vocabulary, term, loosely));
    if (loosely || !matchesNothing(asWritten)) return { term, match: asWritten };
    return { term, match: matchTerm(index, pool, meanings(vocabulary, term, true)) };
  });
  const required = matches.filter(({ term }) => term.required);
  for (const [at, { term, match }] of [...required, ...matches.filter(({ term }) => !term.required)].entries()) {
    const atThatTime = term.or && whenTest(events, term.or, now);
    filters.push(adding(context, match, { first: at === 0, required: term.required, atThatTime }));
  }
  if (matches.length === 0) filters.push(settingZero(weights));
  const fewest = required
    .filter(({ term, match }) => match.enumerated && !term.or)
    .map(({ match }) => match.marks.slots())
    .sort((a, b) => a.length - b.length)[0];
  const ranking = byRelevance(index, question, {
    weights,
    most: matches.length * 255,
    called: pool.take(events.slots.limit),
    now,
  });
  return { filters, candidates: fewest, ranking };
}

type Adding = Readonly<{ first: boolean; required: boolean; atThatTime: ((slot: number) => boolean) | undefined }>;

// What a time weighs that a word says.
const AT_THAT_TIME = 60;

/** Adds the weight of a term, and drops what has not a required one. */
function adding({ index: { events }, weights }: Context, match: TermMatch, how: Adding): Filter {
  const { byVenue, bySet, byType } = match;
  const marks = match.marks.weights;
  const [venue, set, type] = [events.venue.data, events.taxonomySet.data, events.type.data];
  const { first, required, atThatTime } = how;
  return (slots, count) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      let weight = marks[slot] ?? 0;
      const others = Math.max(byVenue[venue[slot] ?? 0] ?? 0, bySet[set[slot] ?? 0] ?? 0, byType[type[slot] ?? 0] ?? 0);
      if (others > weight) weight = others;
      if (weight === 0 && atThatTime?.(slot)) weight = AT_THAT_TIME;
      if (required && weight === 0) continue;
      weights[slot] = (first ? 0 : (weights[slot] ?? 0)) + weight;
      slots[kept++] = slot;
    }
    return kept;
  };
}

const settingZero =
  (weights: Float32Array): Filter =>
  (slots, count) => {
    for (let at = 0; at < count; at++) weights[slots[at] ?? 0] = 0;
    return count;
  };
