import { stem } from './stemmer.js';

// Spellings that stemming does not bring together.
const SPELLINGS: Readonly<Record<string, string>> = {
  theatre: 'theater',
  theatres: 'theater',
  centre: 'center',
  centres: 'center',
  st: 'saint',
};

/** What two spellings or endings of a word have in common: its stem. */
export const termOf = (word: string): string => stem(SPELLINGS[word] ?? word);

/** A term that a word may have been meant as; `closeness` from 0 to 1. */
export type Meant = Readonly<{ term: string; closeness: number }>;

// No word of a name is longer; comparing costs by length.
const LONGEST_WORD = 40;
const MOST_MEANT = 12;
const KEPT_ANSWERS = 1_000;

/** Every word that was ever indexed: to find what a mistyped or unfinished word was meant as. */
export class Vocabulary {
  /** Words and their terms: stemming is slow. */
  private readonly terms = new Map<string, string>();
  private readonly words: string[] = [];
  private letters = new Int32Array(1024);
  private readonly answers = new Map<string, readonly Meant[]>();

  /** The terms of words. */
  learn(words: readonly string[]): string[] {
    return words.map((word) => this.terms.get(word) ?? this.add(word));
  }

  /** What else a word of a question may mean, the closest first: words it begins, and words one slip of the finger away (two in a long one). */
  meantBy(word: string): readonly Meant[] {
    const kept = this.answers.get(word);
    if (kept) return kept;
    const meant = this.search(word);
    if (this.answers.size >= KEPT_ANSWERS) this.answers.clear();
    this.answers.set(word, meant);
    return meant;
  }

  private add(word: string): string {
    const at = this.words.length;
    if (at === this.letters.length) {
      const longer = new Int32Array(at * 2);
      longer.set(this.letters);
      this.letters = longer;
    }
    this.letters[at] = lettersOf(word);
    this.words.push(word);
    this.answers.clear();
    const term = termOf(word);
    this.terms.set(word, term);
    return term;
  }

  private search(word: string): readonly Meant[] {
    if (word.length < 3 || word.length > LONGEST_WORD) return [];
    const slips = slipsIn(word);
    const letters = lettersOf(word);
    const closest = new Map<string, number>();
    for (let at = 0; at < this.words.length; at++) {
      const other = this.words[at] ?? '';
      const begins = other.startsWith(word);
      // A slip changes at most two letters of the set: most words are ruled out without being compared.
      if (!begins && differing((this.letters[at] ?? 0) ^ letters) > 2 * slips) continue;
      const closeness = begins ? word.length / other.length : likeness(word, other, slips);
      const term = this.terms.get(other) ?? other;
      if (closeness > (closest.get(term) ?? 0)) closest.set(term, closeness);
    }
    const meant = Array.from(closest, ([term, closeness]) => ({ term, closeness }));
    return meant.sort((a, b) => b.closeness - a.closeness || (a.term < b.term ? -1 : 1)).slice(0, MOST_MEANT);
  }
}

/** Digits are not forgiven: row 12 is no slip of row 13. */
function slipsIn(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

function likeness(word: string, other: string, slips: number): number {
  if (slips === 0 || Math.abs(word.length - other.length) > slips || other.length < 4) return 0;
  const distance = slipsBetween(word, other, slips);
  return distance > slips ? 0 : 1 - distance / word.length;
}

/** A bit for each letter that occurs. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 31);
  return letters;
}

function differing(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; count++) left &= left - 1;
  return count;
}

/** Letters put in, left out, replaced, or exchanged with the next (optimal string alignment); anything above `most` when there are more. */
function slipsBetween(a: string, b: string, most: number): number {
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
