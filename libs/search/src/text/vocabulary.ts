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

/** A term that a user may have meant by a word; `similarity` is from 0 to 1. */
export type TermVariant = Readonly<{ term: string; similarity: number }>;

// No word of a name is longer, and the cost of a comparison grows with the length.
const LONGEST_WORD = 40;
const MOST_VARIANTS = 12;
const KEPT_ANSWERS = 1_000;

/** Every word that was ever indexed. It finds the terms that a mistyped or unfinished word may stand for. */
export class Vocabulary {
  /** Terms by word, because stemming is slow. */
  private readonly terms = new Map<string, string>();
  private readonly words: string[] = [];
  private letters = new Int32Array(1024);
  private readonly answers = new Map<string, readonly TermVariant[]>();

  /** The terms of words. */
  learn(words: readonly string[]): string[] {
    return words.map((word) => this.terms.get(word) ?? this.add(word));
  }

  /** Other terms that a word of a query may mean, the closest first: its completions, and words one edit away (two in a long word). */
  fuzzyMatches(word: string): readonly TermVariant[] {
    const kept = this.answers.get(word);
    if (kept) return kept;
    const variants = this.search(word);
    if (this.answers.size >= KEPT_ANSWERS) this.answers.clear();
    this.answers.set(word, variants);
    return variants;
  }

  private add(word: string): string {
    const at = this.words.length;
    if (at === this.letters.length) {
      const longer = new Int32Array(at * 2);
      longer.set(this.letters);
      this.letters = longer;
    }
    this.letters[at] = letterMask(word);
    this.words.push(word);
    this.answers.clear();
    const term = termOf(word);
    this.terms.set(word, term);
    return term;
  }

  private search(word: string): readonly TermVariant[] {
    if (word.length < 3 || word.length > LONGEST_WORD) return [];
    const maxEdits = maxEditsIn(word);
    const letters = letterMask(word);
    const closest = new Map<string, number>();
    for (let at = 0; at < this.words.length; at++) {
      const other = this.words[at] ?? '';
      const begins = other.startsWith(word);
      // An edit changes at most two bits of the mask, which rules most words out without a comparison.
      if (!begins && bitCount((this.letters[at] ?? 0) ^ letters) > 2 * maxEdits) continue;
      const similarity = begins ? word.length / other.length : editSimilarity(word, other, maxEdits);
      const term = this.terms.get(other) ?? other;
      if (similarity > (closest.get(term) ?? 0)) closest.set(term, similarity);
    }
    const variants = Array.from(closest, ([term, similarity]) => ({ term, similarity }));
    return variants.sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1)).slice(0, MOST_VARIANTS);
  }
}

/** A digit must be right: row 12 is not a misspelt row 13. */
function maxEditsIn(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

function editSimilarity(word: string, other: string, maxEdits: number): number {
  if (maxEdits === 0 || Math.abs(word.length - other.length) > maxEdits || other.length < 4) return 0;
  const distance = editDistance(word, other, maxEdits);
  return distance > maxEdits ? 0 : 1 - distance / word.length;
}

/** One bit for each letter that occurs. */
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

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). Stops at a number above `most`. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > most) return most + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? most + 1;
}
