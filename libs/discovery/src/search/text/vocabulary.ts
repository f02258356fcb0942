import { stemmer } from 'stemmer';

// Stemming does not unify these spellings.
const SPELLINGS = new Map([
  ['theatre', 'theater'],
  ['theatres', 'theater'],
  ['centre', 'center'],
  ['centres', 'center'],
  ['st', 'saint'],
]);

// The endings of other words are no English suffixes: `76ers` is a name.
const ENGLISH = /^[a-z]+$/;

/** The index term of a folded word: its stem (Porter). Different spellings and endings share one term. */
export function termOf(word: string): string {
  const spelling = SPELLINGS.get(word) ?? word;
  return ENGLISH.test(spelling) ? stemmer(spelling) : spelling;
}

/** A term that a query word may stand for; `similarity` is from 0 to 1. */
export type TermVariant = Readonly<{ term: string; similarity: number }>;

// No word of a name is longer. The cost of a comparison grows with the length.
const MAX_WORD_LENGTH = 40;
const MAX_VARIANTS = 12;
const MAX_CACHED_WORDS = 1_000;

/** Every word that was ever indexed. Finds the terms that a misspelled or unfinished word may stand for. */
export class Vocabulary {
  /** Terms by word, because stemming is slow. */
  private readonly terms = new Map<string, string>();
  private readonly words: string[] = [];
  private letterMasks = new Int32Array(1024);
  private readonly cache = new Map<string, readonly TermVariant[]>();

  add(words: readonly string[]): string[] {
    return words.map((word) => this.terms.get(word) ?? this.addWord(word));
  }

  /** The closest first: completions of the word, and words within one edit (two in a long word). */
  fuzzyMatches(word: string): readonly TermVariant[] {
    const cached = this.cache.get(word);
    if (cached) return cached;
    const variants = this.search(word);
    if (this.cache.size >= MAX_CACHED_WORDS) this.cache.clear();
    this.cache.set(word, variants);
    return variants;
  }

  private addWord(word: string): string {
    const at = this.words.length;
    if (at === this.letterMasks.length) {
      const longer = new Int32Array(at * 2);
      longer.set(this.letterMasks);
      this.letterMasks = longer;
    }
    this.letterMasks[at] = letterMask(word);
    this.words.push(word);
    this.cache.clear();
    const term = termOf(word);
    this.terms.set(word, term);
    return term;
  }

  private search(word: string): readonly TermVariant[] {
    if (word.length < 3 || word.length > MAX_WORD_LENGTH) return [];
    const maxEdits = maxEditsIn(word);
    const letters = letterMask(word);
    const closest = new Map<string, number>();
    for (let at = 0; at < this.words.length; at++) {
      const candidate = this.words[at] ?? '';
      const isPrefix = candidate.startsWith(word);
      // An edit changes at most two bits of the mask, which rules out most words without a comparison.
      if (!isPrefix && bitCount((this.letterMasks[at] ?? 0) ^ letters) > 2 * maxEdits) continue;
      const similarity = isPrefix ? word.length / candidate.length : editSimilarity(word, candidate, maxEdits);
      const term = this.terms.get(candidate) ?? candidate;
      if (similarity > (closest.get(term) ?? 0)) closest.set(term, similarity);
    }
    const variants = Array.from(closest, ([term, similarity]) => ({ term, similarity }));
    return variants.sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1)).slice(0, MAX_VARIANTS);
  }
}

/** Digits must match exactly: row 12 is not a misspelling of row 13. */
function maxEditsIn(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

function editSimilarity(word: string, other: string, maxEdits: number): number {
  if (maxEdits === 0 || Math.abs(word.length - other.length) > maxEdits || other.length < 4) return 0;
  const distance = editDistance(word, other, maxEdits);
  return distance > maxEdits ? 0 : 1 - distance / word.length;
}

function letterMask(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 31);
  return letters;
}

function bitCount(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; count++) left &= left - 1;
  return count;
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. Stops at a number above `most`. */
function editDistance(a: string, b: string, most: number): number {
  let rowBefore: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (rowBefore[j - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    rowBefore = row;
    row = next;
  }
  return row[b.length] ?? most + 1;
}
