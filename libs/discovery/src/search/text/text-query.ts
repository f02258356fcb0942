import { type When, timePhraseAt } from './time-phrases.js';
import { termOf } from './vocabulary.js';
import { nameKey, tokenize } from '../../tokenizer.js';

export type Term = Readonly<{
  /** As the user typed it, folded. */
  word: string;
  term: string;
  required: boolean;
  /** A document at this time matches too: `may` is a name or a month. */
  or?: When | undefined;
}>;

export type TextQuery = Readonly<{
  /** The whole query as a name key. */
  key: string;
  terms: readonly Term[];
  when: readonly When[];
  /** A city or state after `in` or `near`, as a name key. */
  place?: string | undefined;
}>;

export type CatalogueNames = Readonly<{
  /** Whether something has this name. If so, none of its words is read as a time or a place. */
  isName(key: string): boolean;
  isPlace(key: string): boolean;
}>;

// No real query is longer. The cost of a hostile query grows with its words.
const MAX_WORDS = 24;
const MAX_LETTERS = 500;
const MAX_PLACE_WORDS = 4;

const STOP_WORDS = new Set(
  'a an and any around at by for from in me my near of on or the to v versus vs with ticket tickets'.split(' '),
);
const WEAK_WORDS = new Set(
  'best buy cheap event events game games gig gigs live match matches seat seats show shows'.split(' '),
);

export function parseTextQuery(q: string, names: CatalogueNames): TextQuery {
  const words = tokenize(q.slice(0, MAX_LETTERS)).slice(0, MAX_WORDS);
  const key = nameKey(words.join(' '));
  if (names.isName(key)) return { key, terms: termsOf(words.map((word) => ({ word }))), when: [] };
  const termWords: { word: string; or?: When }[] = [];
  const when: When[] = [];
  let place: string | undefined;
  for (let at = 0; at < words.length;) {
    const time = timePhraseAt(words.slice(at));
    const placeWords = place === undefined ? placeLength(words.slice(at), names) : 0;
    if (time?.sure) {
      when.push(time.when);
      at += time.length;
    } else if (placeWords > 0) {
      place = words.slice(at + 1, at + 1 + placeWords).join(' ');
      at += 1 + placeWords;
    } else {
      const word = words[at++] ?? '';
      termWords.push(time ? { word, or: time.when } : { word });
    }
  }
  return { key, terms: termsOf(termWords, when.length > 0 || place !== undefined), when, place };
}

/** The same query with the words of the place as terms: they may be part of a name. */
export function withoutPlace({ place, ...query }: TextQuery): TextQuery {
  const words = place?.split(' ') ?? [];
  return { ...query, terms: [...query.terms, ...termsOf(words.map((word) => ({ word })))] };
}

/** The number of words after `in` or `near` that are a place. */
function placeLength([preposition = '', ...words]: readonly string[], names: CatalogueNames): number {
  if (!['in', 'near', 'around'].includes(preposition)) return 0;
  const maxLength = Math.min(MAX_PLACE_WORDS, words.length);
  for (let count = maxLength; count > 0; count--) if (names.isPlace(words.slice(0, count).join(' '))) return count;
  return 0;
}

/** Stop words count only if the query has nothing else (`The The`). */
function termsOf(words: readonly Readonly<{ word: string; or?: When }>[], hasTimeOrPlace = false): Term[] {
  const significant = words.filter(({ word }) => !STOP_WORDS.has(word));
  const kept = significant.length > 0 || hasTimeOrPlace ? significant : words;
  const hasStrongWord = kept.some(({ word }) => !WEAK_WORDS.has(word));
  return kept.map(({ word, or }) => ({
    word,
    term: termOf(word),
    required: !(hasStrongWord || hasTimeOrPlace) || !WEAK_WORDS.has(word),
    or,
  }));
}
