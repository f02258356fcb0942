import { type When, timePhraseAt } from './time-phrases.js';
import { termOf } from './vocabulary.js';
import { nameKey, tokenize } from './tokenizer.js';

export type Term = Readonly<{
  /** As the user wrote it, folded. */
  word: string;
  term: string;
  /** A document without this term does not match. */
  required: boolean;
  /** A document at this time matches, too: `may` may be a name or a month. */
  or?: When | undefined;
}>;

/** A free-text query, parsed into terms, times and a place. */
export type TextQuery = Readonly<{
  /** The whole as a name. */
  key: string;
  terms: readonly Term[];
  when: readonly When[];
  /** A city or state after `in` or `near`, as a name. */
  place?: string | undefined;
}>;

/** What the parser asks the catalogue. */
export type Names = Readonly<{
  /** Whether something has this name: then no word of it is read as a time or a place. */
  isName(key: string): boolean;
  /** Whether a city or state has this name. */
  isPlace(key: string): boolean;
}>;

// No real query is longer. The cost of a hostile one grows with its words.
const MOST_WORDS = 24;
const MOST_LETTERS = 500;
const LONGEST_PLACE_WORDS = 4;

const STOP_WORDS = new Set(
  'a an and any around at by for from in me my near of on or the to v versus vs with ticket tickets'.split(' '),
);
const WEAK_WORDS = new Set(
  'best buy cheap event events game games gig gigs live match matches seat seats show shows'.split(' '),
);

export function parseTextQuery(q: string, names: Names): TextQuery {
  const words = tokenize(q.slice(0, MOST_LETTERS)).slice(0, MOST_WORDS);
  const key = nameKey(words.join(' '));
  if (names.isName(key)) return { key, terms: termsOf(words.map((word) => ({ word }))), when: [] };
  const left: { word: string; or?: When }[] = [];
  const when: When[] = [];
  let place: string | undefined;
  for (let at = 0; at < words.length;) {
    const time = timePhraseAt(words.slice(at));
    const placeWords = place === undefined ? placeAt(words.slice(at), names) : 0;
    if (time?.sure) {
      when.push(time.when);
      at += time.length;
    } else if (placeWords > 0) {
      place = words.slice(at + 1, at + 1 + placeWords).join(' ');
      at += 1 + placeWords;
    } else {
      const word = words[at++] ?? '';
      left.push(time ? { word, or: time.when } : { word });
    }
  }
  return { key, terms: termsOf(left, when.length > 0 || place !== undefined), when, place };
}

/** The same query with the words of the place as terms: they may be part of a name. */
export function withoutPlace({ place, ...query }: TextQuery): TextQuery {
  const words = place?.split(' ') ?? [];
  return { ...query, terms: [...query.terms, ...termsOf(words.map((word) => ({ word })))] };
}

/** How many words after `in` or `near` are a place. */
function placeAt([preposition = '', ...words]: readonly string[], names: Names): number {
  if (!['in', 'near', 'around'].includes(preposition)) return 0;
  const most = Math.min(LONGEST_PLACE_WORDS, words.length);
  for (let count = most; count > 0; count--) if (names.isPlace(words.slice(0, count).join(' '))) return count;
  return 0;
}

/** Stop words count only if the query has nothing else (`The The`). */
function termsOf(words: readonly Readonly<{ word: string; or?: When }>[], elseSaid = false): Term[] {
  const telling = words.filter(({ word }) => !STOP_WORDS.has(word));
  const kept = telling.length > 0 || elseSaid ? telling : words;
  const anyTells = kept.some(({ word }) => !WEAK_WORDS.has(word));
  return kept.map(({ word, or }) => ({
    word,
    term: termOf(word),
    required: !(anyTells || elseSaid) || !WEAK_WORDS.has(word),
    or,
  }));
}
