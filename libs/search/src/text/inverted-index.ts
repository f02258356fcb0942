import { PackedLists } from './packed-lists.js';
import type { Vocabulary } from './vocabulary.js';

/** Words of one text of a slot; `weight` is the index of that text in a list of term weights, at most 3. */
export type Weighted = Readonly<{ words: readonly string[]; weight: 0 | 1 | 2 | 3 }>;

/** A slot that has a term: slot * 4 + weight, so that a posting list is a plain array of small integers. */
export type Posting = number;
export const slotOf = (posting: Posting): number => posting >>> 2;
export const weightOf = (posting: Posting): number => posting & 3;

const NOWHERE: readonly Posting[] = [];

/** Posting lists by term. A term in several texts of a slot counts with the lowest weight number. */
export class InvertedIndex {
  /** Grows with every change. */
  version = 0;
  private readonly numbers = new Map<string, number>();
  /** By term number. */
  private readonly postings: Posting[][] = [];
  /** By slot: term number * 4 + weight. */
  private readonly entries = new PackedLists();

  constructor(private readonly vocabulary: Vocabulary) {}

  set(slot: number, texts: readonly Weighted[]): void {
    const weights = new Map<number, number>();
    for (const { words, weight } of texts) {
      for (const term of this.vocabulary.learn(words)) {
        const number = this.numberOf(term);
        weights.set(number, Math.min(weight, weights.get(number) ?? weight));
      }
    }
    const entry = Array.from(weights, ([number, weight]) => number * 4 + weight);
    if (this.entries.isSame(slot, entry)) return;
    this.remove(slot);
    for (const one of entry) this.postings[one >>> 2]?.push(slot * 4 + (one & 3));
    this.entries.set(slot, entry);
    this.version++;
  }

  remove(slot: number): void {
    if (!this.has(slot)) return;
    this.version++;
    for (const entry of this.entries.get(slot)) {
      const list = this.postings[entry >>> 2] ?? [];
      const at = list.indexOf(slot * 4 + (entry & 3));
      const last = list.pop();
      if (at < list.length && last !== undefined) list[at] = last;
    }
    this.entries.delete(slot);
  }

  has(slot: number): boolean {
    return this.entries.has(slot);
  }

  get(term: string): readonly Posting[] {
    return this.postings[this.numbers.get(term) ?? -1] ?? NOWHERE;
  }

  private numberOf(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) return known;
    this.numbers.set(term, this.postings.length);
    return this.postings.push([]) - 1;
  }
}
